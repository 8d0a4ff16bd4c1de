package io.idempotency.core;

import io.idempotency.store.memory.InMemoryIdempotencyStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;

/** An engine on a store that fails when a test says so, and what it tells. */
@Timeout(30)
abstract class WithAnEngine {

    static final String NAMESPACE = "shop";

    static final OutcomeCodec<String> TEXT = new TextCodec();

    final InMemoryIdempotencyStore memory = new InMemoryIdempotencyStore(1_000);

    final FaultyStore store = new FaultyStore(memory);

    final RecordingListener listener = new RecordingListener();

    final PlannedTransaction transaction = new PlannedTransaction();

    final AtomicInteger runs = new AtomicInteger();

    final ExecutorService threads = Executors.newCachedThreadPool();

    final IdempotencyTemplate idempotency = template(2);

    OperationPolicy policy = OperationPolicy.DEFAULT;

    @AfterEach
    void close() {
        threads.shutdownNow();
        idempotency.close();
    }

    IdempotencyTemplate template(int maxWaiters) {
        return new IdempotencyTemplate(
                store,
                type -> anyText(),
                new EngineSettings(NAMESPACE, Duration.ofSeconds(1), maxWaiters),
                OperationPolicy.DEFAULT,
                transaction,
                List.of(listener));
    }

    @SuppressWarnings({"unchecked", "rawtypes"}) // every value in these tests is a text
    static OutcomeCodec<Object> anyText() {
        return (OutcomeCodec) TEXT;
    }

    IdempotencyRequest request(String key, String content) {
        return new IdempotencyRequest(new IdempotencyKey("pay", null, key), Fingerprint.of(content), policy);
    }

    IdempotentResult<String> call(String key) {
        return idempotency.execute(request(key, "content"), TEXT, () -> "run " + runs.incrementAndGet());
    }

    IdempotentResult<String> execute(String key, Callable<String> work) throws Exception {
        return idempotency.execute(request(key, "content"), TEXT, work::call);
    }

    RecordState find(String key) {
        return memory.find(request(key, "content").key().identity(NAMESPACE))
                .orElseThrow()
                .state();
    }

    static Callable<String> failingWith(Exception failure) {
        return () -> {
            throw failure;
        };
    }

    static <T> T joined(Future<T> future) throws Exception {
        return future.get();
    }

    Running start(String key) throws InterruptedException {
        CountDownLatch started = new CountDownLatch(1);
        CompletableFuture<String> end = new CompletableFuture<>();
        Future<IdempotentResult<String>> result = threads.submit(() -> execute(key, () -> {
            started.countDown();
            return end.get();
        }));
        started.await();
        return new Running(end, result);
    }

    /** An execution that holds its claim until the test ends it. */
    record Running(CompletableFuture<String> work, Future<IdempotentResult<String>> answer) {

        void end() throws Exception {
            work.complete("held");
            answer.get();
        }

        void fail() {
            work.completeExceptionally(new IllegalStateException("planted"));
        }

        IdempotentResult<String> result() throws Exception {
            return answer.get();
        }
    }

    /** A transaction that the test begins and ends. */
    static final class PlannedTransaction implements SurroundingTransaction {

        private volatile boolean active;

        private volatile Consumer<End> callback = end -> {};

        void begin() {
            active = true;
        }

        void end(End end) {
            active = false;
            callback.accept(end);
        }

        @Override
        public boolean isActive() {
            return active;
        }

        @Override
        public void afterCompletion(Consumer<End> callback) {
            this.callback = callback;
        }
    }
}
