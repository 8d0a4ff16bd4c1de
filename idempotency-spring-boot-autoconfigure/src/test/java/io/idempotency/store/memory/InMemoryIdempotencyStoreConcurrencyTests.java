package io.idempotency.store.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.core.EngineSettings;
import io.idempotency.core.IdempotencyTemplate;
import io.idempotency.core.OperationPolicy;
import io.idempotency.core.SurroundingTransaction;
import io.idempotency.json.JsonOutcomeCodecFactory;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class InMemoryIdempotencyStoreConcurrencyTests {

    private static final int KEYS = 20;

    private final ExecutorService callers = Executors.newFixedThreadPool(KEYS);

    private final IdempotencyTemplate idempotency = new IdempotencyTemplate(
            new InMemoryIdempotencyStore(KEYS),
            new JsonOutcomeCodecFactory(1_000),
            new EngineSettings("concurrency", Duration.ofSeconds(20), 0),
            OperationPolicy.DEFAULT,
            SurroundingTransaction.NONE,
            List.of());

    @AfterEach
    void close() {
        callers.shutdownNow();
        idempotency.close();
    }

    /** Each work waits until all of them run: one lock for all would never let the second in. */
    @Test
    void theWorkOfDifferentKeysRunsAtTheSameTime() throws InterruptedException, ExecutionException, TimeoutException {
        CountDownLatch running = new CountDownLatch(KEYS);

        List<Future<Boolean>> together = IntStream.range(0, KEYS)
                .mapToObj(key -> callers.submit(() -> idempotency
                        .operation("concurrent")
                        .key("key " + key)
                        .execute(Boolean.class, () -> {
                            running.countDown();
                            return running.await(1, TimeUnit.MINUTES);
                        })
                        .value()))
                .toList();

        for (Future<Boolean> call : together) {
            assertThat(call.get(2, TimeUnit.MINUTES)).isTrue();
        }
    }
}
