package io.idempotency.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.idempotency.annotation.Idempotent;
import io.idempotency.core.EngineSettings;
import io.idempotency.core.FingerprintMismatchException;
import io.idempotency.core.IdempotencyContext;
import io.idempotency.core.IdempotencyStoreException;
import io.idempotency.core.IdempotencyTemplate;
import io.idempotency.core.InvalidIdempotencyKeyException;
import io.idempotency.core.OnFailure;
import io.idempotency.core.OperationInProgressException;
import io.idempotency.core.OperationPolicy;
import io.idempotency.core.OutcomeUnavailableException;
import io.idempotency.core.RecordedFailureException;
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
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;

class IdempotentMethodInterceptorTests {

    private final JsonOutcomeCodecFactory codecs = new JsonOutcomeCodecFactory(10_000);

    private final IdempotencyTemplate engine = new IdempotencyTemplate(
            new InMemoryIdempotencyStore(1_000),
            codecs,
            new EngineSettings("test", Duration.ofSeconds(2), 64),
            OperationPolicy.DEFAULT,
            SurroundingTransaction.NONE,
            List.of());

    private final List<InvocationDoor> doors = new ArrayList<>();

    private final Shop shop = new Shop();

    private final Shop proxy = proxy(shop, true);

    @AfterEach
    void closeEngine() {
        engine.close();
    }

    @Test
    void aRetryGetsTheRecordedValueAndRunsNothing() {
        Order first = proxy.order("k-1", BigDecimal.TEN);
        Order second = proxy.order("k-1", BigDecimal.TEN);

        assertThat(second).isEqualTo(first).isNotSameAs(first);
        assertThat(shop.runs).hasValue(1);
        assertThat(proxy.order("k-2", BigDecimal.TEN)).isNotEqualTo(first);
        assertThat(shop.runs).hasValue(2);
    }

    @Test
    void firstCallAndReplayHaveTheSameShape() {
        for (int call = 0; call < 2; call++) {
            assertThat(proxy.orders("k")).isEqualTo(List.of(new Order("o-1", new BigDecimal("1.50"), Instant.EPOCH)));
            assertThat(proxy.maybe("k", true)).isEqualTo(Optional.of("x"));
            assertThat(proxy.maybe("l", false)).isEmpty();
            assertThat(proxy.noOptional("k")).isNull();
            assertThat(proxy.number("k")).isEqualTo(7);
            assertThat(proxy.nothing("k")).isNull();
            assertThat(proxy.counts("k")).isEqualTo(Map.of("a", 1L));
            assertThat(proxy.response("k"))
                    .isEqualTo(ResponseEntity.status(HttpStatus.CREATED)
                            .header("X", "y")
                            .body(List.of("a")));
            proxy.done("k");
        }
        assertThat(shop.runs).hasValue(9);
    }

    @Test
    void genericReturnTypesAreThoseOfTheTargetClass() {
        @SuppressWarnings("unchecked")
        Repository<Order> repository = (Repository<Order>) proxy(new OrderRepository(), false);
        Order order = new Order("o-1", BigDecimal.ONE, Instant.EPOCH);

        assertThat(repository.save(order)).isEqualTo(order);
        assertThat(repository.save(order)).isInstanceOf(Order.class).isEqualTo(order);
        assertThat(repository.saveAll(List.of(order))).isEqualTo(List.of(order));
        assertThat(repository.saveAll(List.of(order))).first().isInstanceOf(Order.class);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aMethodBehindAnInterfaceIsProtectedByEitherProxy(boolean targetClass) {
        PaymentService target = new PaymentService();
        Payments payments = (Payments) proxy(target, targetClass);

        assertThat(payments.pay("k")).isEqualTo(payments.pay("k")).isEqualTo("1");
        assertThat(payments.refund("k")).isEqualTo(payments.refund("k")).isEqualTo("2");
    }

    @Test
    void aRetryWithOtherArgumentsIsAMismatch() {
        Order first = proxy.order("k", BigDecimal.TEN);

        assertThatExceptionOfType(FingerprintMismatchException.class)
                .isThrownBy(() -> proxy.order("k", BigDecimal.ONE));
        assertThat(shop.runs).hasValue(1);
        assertThat(proxy.order("k", BigDecimal.TEN)).isEqualTo(first);
    }

    @Test
    void whatAMethodDoesToItsArgumentsIsNotCompared() {
        assertThat(proxy.pack("k", new ArrayList<>(List.of("book")))).isEqualTo(2);
        assertThat(proxy.pack("k", new ArrayList<>(List.of("book")))).isEqualTo(2);

        assertThat(shop.runs).hasValue(1);
    }

    @Test
    void whatIsComparedMayBeSaid() {
        proxy.byAmount("k", "note", BigDecimal.TEN);
        proxy.byAmount("k", "another note", BigDecimal.TEN);
        assertThat(shop.runs).hasValue(1);

        assertThatExceptionOfType(FingerprintMismatchException.class)
                .isThrownBy(() -> proxy.byAmount("k", "note", BigDecimal.ONE));

        proxy.uncompared("k", "a");
        proxy.uncompared("k", "b");
        assertThat(shop.runs).hasValue(2);
    }

    @Test
    void anArgumentThatCannotBeComparedStopsTheCallAndNamesTheRemedy() {
        assertThatExceptionOfType(InvalidIdempotentMethodException.class)
                .isThrownBy(() -> proxy.withRunnable("k", () -> {}))
                .withMessageContaining("Shop.withRunnable(java.lang.String,java.lang.Runnable)")
                .withMessageContaining("fingerprint = \"");
        assertThat(shop.runs).hasValue(0);
    }

    @Test
    void theSameKeyOfAnotherScopeIsAnotherOperation() {
        assertThat(proxy.scoped("k", "acme")).isEqualTo("1");
        assertThat(proxy.scoped("k", "emca")).isEqualTo("2");
        assertThat(proxy.scoped("k", "acme")).isEqualTo("1");
        assertThatExceptionOfType(InvalidIdempotencyKeyException.class)
                .isThrownBy(() -> proxy.scoped("k", null))
                .withMessageContaining("scope")
                .withMessageContaining("Shop.scoped");
    }

    @Test
    void overloadsAndOtherClassesAreOtherOperations() {
        assertThat(proxy.overloaded("k")).isEqualTo("1");
        assertThat(proxy.overloaded((Object) "k")).isEqualTo("2");
        assertThat(((Payments) proxy(new PaymentService(), true)).pay("k")).isEqualTo("1");
        assertThat(proxy.pay("k")).isEqualTo("3");
        assertThat(shop.runs).hasValue(3);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "\t"})
    void aBlankKeyIsAnError(String key) {
        assertThatExceptionOfType(InvalidIdempotencyKeyException.class)
                .isThrownBy(() -> proxy.order(key, BigDecimal.TEN))
                .withMessageContaining("Shop.order")
                .withMessageContaining("#id");
        assertThat(shop.runs).hasValue(0);
    }

    @Test
    void anUnusableKeyIsAnErrorThatDoesNotShowIt() {
        for (String key : List.of("jane@example.com\r\n", "jane@example.com\u0000", "jane".repeat(300), "jane\uD800")) {
            assertThatExceptionOfType(InvalidIdempotencyKeyException.class)
                    .isThrownBy(() -> proxy.order(key, BigDecimal.TEN))
                    .withMessageContaining("Shop.order")
                    .withMessageNotContaining("jane")
                    .extracting(InvalidIdempotencyKeyException::reason)
                    .isEqualTo(InvalidIdempotencyKeyException.Reason.MALFORMED);
        }
        assertThat(shop.runs).hasValue(0);
        assertThat(proxy.order("ключ 🗝", BigDecimal.TEN)).isNotNull();
    }

    @ParameterizedTest
    @ValueSource(classes = {IOException.class, IllegalStateException.class, StackOverflowError.class})
    void whatTheMethodThrowsReachesTheCallerAsTheSameObject(Class<? extends Throwable> type) throws Exception {
        Throwable failure = type.getConstructor().newInstance();

        assertThatThrownBy(() -> proxy.failing("k", failure)).isSameAs(failure);
        assertThatThrownBy(() -> proxy.failing("k", failure)).isSameAs(failure);
        assertThat(shop.runs).hasValue(2);
    }

    @Test
    void aRecordedFailureAnswersEveryRetry() {
        assertThatThrownBy(() -> proxy.declining("k")).isInstanceOf(IllegalArgumentException.class);
        assertThatExceptionOfType(RecordedFailureException.class)
                .isThrownBy(() -> proxy.declining("k"))
                .satisfies(recorded ->
                        assertThat(recorded.failureType()).isEqualTo(IllegalArgumentException.class.getName()));
        assertThat(shop.runs).hasValue(1);
    }

    @Test
    void aRefusalThatTheMethodMeetsAnswersNoRetry() {
        IdempotencyStoreException refusal = new IdempotencyStoreException("planted", null);

        assertThatThrownBy(() -> proxy.failingForGood("k", refusal)).isSameAs(refusal);
        assertThatThrownBy(() -> proxy.failingForGood("k", refusal)).isSameAs(refusal);
        assertThat(shop.runs).hasValue(2);
    }

    @Test
    void aValueThatCannotBeReplayedIsGivenOnceAndThenAnError() {
        assertThat(proxy.large("k")).hasSize(20_000);

        assertThatExceptionOfType(OutcomeUnavailableException.class).isThrownBy(() -> proxy.large("k"));
        assertThat(shop.runs).hasValue(1);
    }

    @Test
    void aFutureIsRecordedWhenItCompletes() {
        CompletableFuture<Order> first = proxy.later("k");
        assertThatExceptionOfType(OperationInProgressException.class).isThrownBy(() -> proxy.later("k"));
        assertThat(first).isNotDone();

        Order order = new Order("o-1", BigDecimal.ONE, Instant.EPOCH);
        shop.pending.complete(order);

        assertThat(first).isCompletedWithValue(order);
        assertThat(proxy.later("k")).isCompletedWithValue(order);
        assertThat(proxy.stage("s").toCompletableFuture()).isCompletedWithValue(List.of("a"));
        assertThat(proxy.stage("s").toCompletableFuture()).isCompletedWithValue(List.of("a"));
        assertThat(shop.runs).hasValue(2);
    }

    @Test
    void aFutureThatFailsReleasesTheKeyAndFailsWithTheSameObject() {
        CompletableFuture<Order> first = proxy.later("k");
        IOException failure = new IOException("broken");

        shop.pending.completeExceptionally(failure);

        assertThat(first).isCompletedExceptionally();
        assertThat(first.handle((value, thrown) -> thrown)).isCompletedWithValue(failure);
        assertThatExceptionOfType(CompletionException.class)
                .isThrownBy(first::join)
                .havingCause()
                .isSameAs(failure);
        shop.pending = CompletableFuture.completedFuture(new Order("o-2", BigDecimal.ONE, Instant.EPOCH));
        assertThat(proxy.later("k")).isCompletedWithValue(new Order("o-2", BigDecimal.ONE, Instant.EPOCH));
        assertThat(shop.runs).hasValue(2);
    }

    @Test
    void aMethodThatReturnsNoFutureAtAllReleasesTheKey() {
        shop.pending = null;

        assertThatThrownBy(() -> proxy.later("k"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("Shop.later");
        assertThatThrownBy(() -> proxy.later("k")).isInstanceOf(IllegalStateException.class);
        assertThat(shop.runs).hasValue(2);
    }

    @Test
    void aMethodWithoutKeyDoesNotRunUnprotected() {
        assertThatExceptionOfType(InvalidIdempotentMethodException.class)
                .isThrownBy(() -> proxy.keyless("x"))
                .withMessageContaining("Shop.keyless")
                .withMessageContaining("key = ");
        assertThat(shop.runs).hasValue(0);
    }

    @Test
    void anAnnotationThatCannotBeHonouredDoesNotRunUnprotected() {
        Misspelt target = new Misspelt();
        Misspelt misspelt = proxy(target, true);

        assertThatExceptionOfType(InvalidIdempotentMethodException.class)
                .isThrownBy(() -> misspelt.pay("k"))
                .withMessageContaining("Misspelt.pay");
        assertThat(target.runs).hasValue(0);
    }

    @Test
    void anUnsupportedReturnTypeDoesNotRun() {
        assertThatExceptionOfType(InvalidIdempotentMethodException.class)
                .isThrownBy(() -> proxy.stream("k"))
                .withMessageContaining("Shop.stream(java.lang.String)")
                .withMessageContaining("List");
        assertThat(shop.runs).hasValue(0);
    }

    @Test
    void methodsWithoutAnnotationRunStraightThrough() {
        assertThat(proxy.plain("k")).isEqualTo("1");
        assertThat(proxy.plain("k")).isEqualTo("2");
    }

    @Test
    void theDoorThatOwnsAnInvocationAnswersIt() {
        doors.add(new OwnerOf("order"));

        assertThat(proxy.order("k", BigDecimal.TEN)).isEqualTo(OwnerOf.ANSWER);
        assertThat(shop.runs).hasValue(0);
        assertThat(proxy.pay("k")).isEqualTo("1");
    }

    @Test
    void theContextIsBoundWhileTheMethodRunsAndNotLonger() throws Exception {
        ExecutorService oneThread = Executors.newSingleThreadExecutor();
        try {
            assertThat(oneThread.submit(() -> proxy.operation("k")).get()).contains("Shop.operation");
            assertThat(oneThread
                            .submit(() -> catchThrowable(() -> proxy.failing("k", new IOException())))
                            .get())
                    .isInstanceOf(IOException.class);
            oneThread.submit(() -> proxy.later("k")).get();
            assertThat(oneThread.submit(IdempotencyContext::current).get()).isEmpty();
            assertThat(shop.contextOfChild).isEmpty();
        } finally {
            oneThread.shutdownNow();
        }
    }

    @Test
    void otherKeysDoNotWaitForEachOther() throws Exception {
        int keys = 20;
        CountDownLatch together = new CountDownLatch(keys);
        ExecutorService threads = Executors.newFixedThreadPool(keys);
        try {
            List<Future<Boolean>> calls = new ArrayList<>();
            for (int index = 0; index < keys; index++) {
                String key = "k-" + index;
                calls.add(threads.submit(() -> proxy.meeting(key, together)));
            }
            for (Future<Boolean> call : calls) {
                assertThat(call.get(20, TimeUnit.SECONDS)).isTrue();
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private <T> T proxy(T target, boolean targetClass) {
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

        @Idempotent(key = "#p0", fingerprint = "NONE")
        public boolean meeting(String id, CountDownLatch together) throws InterruptedException {
            together.countDown();
            return together.await(10, TimeUnit.SECONDS);
        }
    }

    static class Misspelt {

        final AtomicInteger runs = new AtomicInteger();

        @Idempotent("#odrer")
        public void pay(String order) {
            runs.incrementAndGet();
        }
    }

    interface Payments {

        @Idempotent("#id")
        String pay(String id);

        String refund(String id);
    }

    static class PaymentService implements Payments {

        private final AtomicInteger runs = new AtomicInteger();

        @Override
        public String pay(String id) {
            return String.valueOf(runs.incrementAndGet());
        }

        @Override
        @Idempotent("#id")
        public String refund(String id) {
            return String.valueOf(runs.incrementAndGet());
        }
    }

    interface Repository<T> {

        T save(T entity);

        List<T> saveAll(List<T> entities);
    }

    static class AbstractRepository<T> implements Repository<T> {

        @Override
        @Idempotent("'one'")
        public T save(T entity) {
            return entity;
        }

        @Override
        @Idempotent("'many'")
        public List<T> saveAll(List<T> entities) {
            return entities;
        }
    }

    static class OrderRepository extends AbstractRepository<Order> {}

    /** A door that answers for one method. */
    private record OwnerOf(String name) implements InvocationDoor {

        static final Order ANSWER = new Order("door", BigDecimal.ONE, Instant.EPOCH);

        @Override
        public boolean owns(MethodInvocation invocation) {
            return invocation.getMethod().getName().equals(name);
        }

        @Override
        public Object invoke(MethodInvocation invocation, IdempotentMethod method) {
            return ANSWER;
        }
    }
}
