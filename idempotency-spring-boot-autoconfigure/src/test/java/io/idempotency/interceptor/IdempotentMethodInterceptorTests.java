package io.idempotency.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.idempotency.annotation.Idempotent;
import io.idempotency.core.IdempotencyContext;
import io.idempotency.core.IdempotencyStoreException;
import io.idempotency.core.OutcomeUnavailableException;
import io.idempotency.core.RecordedFailureException;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.aopalliance.intercept.MethodInvocation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;

class IdempotentMethodInterceptorTests extends InAShop {

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
    void overloadsAndOtherClassesAreOtherOperations() {
        assertThat(proxy.overloaded("k")).isEqualTo("1");
        assertThat(proxy.overloaded((Object) "k")).isEqualTo("2");
        assertThat(((Payments) proxy(new PaymentService(), true)).pay("k")).isEqualTo("1");
        assertThat(proxy.pay("k")).isEqualTo("3");
        assertThat(shop.runs).hasValue(3);
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
