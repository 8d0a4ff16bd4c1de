package io.idempotency.client;

import io.idempotency.core.EngineSettings;
import io.idempotency.core.IdempotencyTemplate;
import io.idempotency.core.OperationPolicy;
import io.idempotency.core.OutcomeCodecFactory;
import io.idempotency.core.SurroundingTransaction;
import io.idempotency.json.JsonOutcomeCodecFactory;
import io.idempotency.step.JournaledSteps;
import io.idempotency.store.memory.InMemoryIdempotencyStore;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

/** Operations with one step, whose records are kept in memory. */
final class StepFixture implements AutoCloseable {

    private final OutcomeCodecFactory codecs = new JsonOutcomeCodecFactory(1_000);

    private final IdempotencyTemplate idempotency = new IdempotencyTemplate(
            new InMemoryIdempotencyStore(100),
            codecs,
            new EngineSettings("client", Duration.ofSeconds(20), 0),
            OperationPolicy.DEFAULT,
            SurroundingTransaction.NONE,
            List.of());

    /** Makes a call in a step of a new operation, and returns the key of the step. */
    String inAStep(Runnable call) {
        return idempotency
                .operation("order")
                .key(UUID.randomUUID().toString())
                .execute(
                        String.class,
                        () -> JournaledSteps.recorded(codecs, () -> idempotency).run("charge", String.class, step -> {
                            call.run();
                            return step.key();
                        }))
                .value();
    }

    @Override
    public void close() {
        idempotency.close();
    }
}
