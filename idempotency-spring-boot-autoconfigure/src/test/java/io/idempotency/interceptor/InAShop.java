package io.idempotency.interceptor;

import io.idempotency.annotation.Idempotent;
import io.idempotency.core.EngineSettings;
import io.idempotency.core.IdempotencyContext;
import io.idempotency.core.IdempotencyTemplate;
import io.idempotency.core.OnFailure;
import io.idempotency.core.OperationPolicy;
import io.idempotency.core.SurroundingTransaction;
import io.idempotency.json.JsonFingerprints;
import io.idempotency.json.JsonOutcomeCodecFactory;
import io.idempotency.store.memory.InMemoryIdempotencyStore;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;

/** A shop behind a proxy that protects it, and what it did. */
abstract class InAShop {

    final JsonOutcomeCodecFactory codecs = new JsonOutcomeCodecFactory(10_000);

    final IdempotencyTemplate engine = new IdempotencyTemplate(
            new InMemoryIdempotencyStore(1_000),
            codecs,
            new EngineSettings("test", Duration.ofSeconds(2), 64),
            OperationPolicy.DEFAULT,
            SurroundingTransaction.NONE,
            List.of());

    final List<InvocationDoor> doors = new ArrayList<>();

    final Shop shop = new Shop();

    final Shop proxy = proxy(shop, true);

    @AfterEach
    void closeEngine() {
        engine.close();
    }

    <T> T proxy(T target, boolean targetClass) {
        IdempotentMethodSource source = new AnnotationIdempotentMethodSource(
                () -> OperationPolicy.DEFAULT, text -> text, new DefaultListableBeanFactory(), List::of);
        IdempotentMethodInterceptor interceptor = new IdempotentMethodInterceptor(
                source, () -> doors, () -> engine, () -> codecs, () -> new JsonFingerprints()::of);
        ProxyFactory factory = new ProxyFactory(target);
        factory.setProxyTargetClass(targetClass);
        factory.addAdvisor(AnnotatedMethodAdvisor.ofOperations(source, interceptor));
        @SuppressWarnings("unchecked")
        T proxy = (T) factory.getProxy();
        return proxy;
    }

    record Order(String id, BigDecimal amount, Instant created) {}

    static class Shop {

        final AtomicInteger runs = new AtomicInteger();

        @Nullable
        CompletableFuture<Order> pending = new CompletableFuture<>();

        Optional<IdempotencyContext> contextOfChild = Optional.empty();

        private String run() {
            return String.valueOf(runs.incrementAndGet());
        }

        @Idempotent(key = "#key")
        public int pack(String key, List<String> parcel) {
            runs.incrementAndGet();
            parcel.add("wrapping");
            return parcel.size();
        }

        @Idempotent("#id")
        public Order order(String id, BigDecimal amount) {
            return new Order("o-" + run(), amount, Instant.parse("2020-01-01T00:00:00.123456789Z"));
        }

        @Idempotent("#p0")
        public List<Order> orders(String id) {
            run();
            return List.of(new Order("o-1", new BigDecimal("1.50"), Instant.EPOCH));
        }

        @Idempotent("#p0")
        public Optional<String> maybe(String id, boolean present) {
            run();
            return present ? Optional.of("x") : Optional.empty();
        }

        @Idempotent("#p0")
        public @Nullable Optional<String> noOptional(String id) {
            run();
            return null;
        }

        @Idempotent("#p0")
        public int number(String id) {
            run();
            return 7;
        }

        @Idempotent("#p0")
        public @Nullable Order nothing(String id) {
            run();
            return null;
        }

        @Idempotent("#p0")
        public Map<String, Long> counts(String id) {
            run();
            return Map.of("a", 1L);
        }

        @Idempotent("#p0")
        public ResponseEntity<List<String>> response(String id) {
            run();
            return ResponseEntity.status(HttpStatus.CREATED).header("X", "y").body(List.of("a"));
        }

        @Idempotent("#p0")
        public void done(String id) {
            run();
        }

        @Idempotent(key = "#p0", fingerprint = "#p2")
        public void byAmount(String id, String note, BigDecimal amount) {
            run();
        }

        @Idempotent(key = "#p0", fingerprint = "NONE")
        public void uncompared(String id, String note) {
            run();
        }

        @Idempotent("#p0")
        public void withRunnable(String id, Runnable task) {
            run();
        }

        @Idempotent(key = "#p0", scope = "#p1", fingerprint = "NONE")
        public String scoped(String id, @Nullable String tenant) {
            return run();
        }

        @Idempotent("#p0")
        public String overloaded(String id) {
            return run();
        }

        @Idempotent("#p0")
        public String overloaded(Object id) {
            return run();
        }

        @Idempotent("#p0")
        public String pay(String id) {
            return run();
        }

        @Idempotent(key = "#p0", fingerprint = "NONE")
        public void failing(String id, Throwable failure) throws IOException {
            run();
            if (failure instanceof IOException checked) {
                throw checked;
            }
            if (failure instanceof Error error) {
                throw error;
            }
            throw (RuntimeException) failure;
        }

        @Idempotent(key = "#p0", recordFailures = IllegalArgumentException.class)
        public void declining(String id) {
            run();
            throw new IllegalArgumentException("declined");
        }

        @Idempotent(key = "#p0", fingerprint = "NONE", onFailure = OnFailure.STORE)
        public void failingForGood(String id, RuntimeException failure) {
            run();
            throw failure;
        }

        @Idempotent("#p0")
        public String large(String id) {
            run();
            return "x".repeat(20_000);
        }

        @Idempotent("#p0")
        public @Nullable CompletableFuture<Order> later(String id) {
            run();
            return pending;
        }

        @Idempotent("#p0")
        public CompletionStage<List<String>> stage(String id) {
            run();
            return CompletableFuture.completedStage(List.of("a"));
        }

        @Idempotent
        public void keyless(String id) {
            run();
        }

        @Idempotent("#p0")
        public Stream<String> stream(String id) {
            run();
            return Stream.of("a");
        }

        public String plain(String id) {
            return run();
        }

        @Idempotent("#p0")
        public String operation(String id) throws InterruptedException {
            Thread child = new Thread(() -> contextOfChild = IdempotencyContext.current());
            child.start();
            child.join();
            return IdempotencyContext.current().orElseThrow().identity().operation();
        }
    }
}
