package io.idempotency.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idempotency.core.EngineSettings;
import io.idempotency.core.IdempotencyListener;
import io.idempotency.core.IdempotencyStore;
import io.idempotency.core.IdempotencyStoreException;
import io.idempotency.core.IdempotencyTemplate;
import io.idempotency.core.IdempotentResult;
import io.idempotency.core.IdempotentWork;
import io.idempotency.core.Identity;
import io.idempotency.core.OperationPolicy;
import io.idempotency.core.SurroundingTransaction;
import io.idempotency.json.JsonOutcomeCodecFactory;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

/** One intent, which engines execute and which counts its executions. */
final class Operation {

    private static final String NAMESPACE = "faults";

    private static final String NAME = "operation";

    private final String key = UUID.randomUUID().toString();

    private final OperationPolicy policy;

    private final AtomicInteger executions = new AtomicInteger();

    Operation(OperationPolicy policy) {
        this.policy = policy;
    }

    static IdempotencyTemplate engine(IdempotencyStore store, Duration storeTimeout, IdempotencyListener... listeners) {
        return new IdempotencyTemplate(
                store,
                new JsonOutcomeCodecFactory(10_000),
                new EngineSettings(NAMESPACE, storeTimeout, 64),
                OperationPolicy.DEFAULT,
                SurroundingTransaction.NONE,
                List.of(listeners));
    }

    Identity identity() {
        return Identity.of(NAMESPACE, NAME, null, key);
    }

    /** Returns how often the work began. */
    int executions() {
        return executions.get();
    }

    /** Calls, and asserts that the call is refused within the time limit of the store and that nothing runs. */
    void isRefusedInTime(IdempotencyTemplate engine) {
        Promptness.promptly(() -> assertThatThrownBy(() -> call(engine, Duration.ZERO, () -> "ran"))
                .isInstanceOf(IdempotencyStoreException.class));
        assertThat(executions()).isZero();
    }

    /** Executes work, or replays it. */
    <E extends Throwable> IdempotentResult<String> call(
            IdempotencyTemplate engine, Duration maxWait, IdempotentWork<String, E> work) throws E {
        return engine.operation(NAME)
                .key(key)
                .policy(unchanged -> policy.withMaxWait(maxWait))
                .execute(String.class, () -> {
                    executions.incrementAndGet();
                    return work.run();
                });
    }
}
