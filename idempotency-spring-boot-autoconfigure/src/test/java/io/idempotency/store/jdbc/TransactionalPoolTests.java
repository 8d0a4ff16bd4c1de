package io.idempotency.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.idempotency.core.IdempotencyStoreException;
import io.idempotency.core.OperationPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.transaction.TransactionDefinition;

/** Many calls at once of every kind, in an application with few connections. */
@ParameterizedClass
@MethodSource("io.idempotency.store.jdbc.TestDatabase#productsThatSkipLockedRecords")
@Timeout(240)
class TransactionalPoolTests {

    private static final int CALLS = 64;

    private static final int CONNECTIONS = 4;

    /** So long that the calls which wait last have to be renewed. */
    private static final Duration WORK = Duration.ofMillis(400);

    private static final Duration LEASE = Duration.ofSeconds(5);

    /** The kinds of calls. */
    private enum Kind {
        TRANSACTIONAL,
        PLAIN,
        INSIDE_A_TRANSACTION
    }

    @Parameter
    private TestDatabase.Product product;

    private final ExecutorService threads = Executors.newFixedThreadPool(CALLS);

    private final CountDownLatch start = new CountDownLatch(1);

    private TestDatabase database;

    private HikariDataSource application;

    @BeforeEach
    void open() {
        database = product.open();
        HikariConfig configuration = database.configuration();
        configuration.setMaximumPoolSize(CONNECTIONS);
        // Patient enough for the last of all calls.
        configuration.setConnectionTimeout(Duration.ofMinutes(2).toMillis());
        application = new HikariDataSource(configuration);
    }

    @AfterEach
    void close() {
        threads.shutdownNow();
        application.close();
    }

    @Test
    void callsThatWaitForAConnectionLoseNoLease() throws Exception {
        try (TransactionalShop shop = open(new JdbcStoreSettings("idempotency_", 4, Duration.ofSeconds(30)))) {
            List<Future<Answer>> answers = callAll(shop);

            for (Future<Answer> answer : answers) {
                assertThat(answer.get().value()).contains("booked");
            }
            assertThat(shop.rows()).hasSize(CALLS);
            assertThat(shop.events()).hasSize(2 * CALLS).containsOnly("started", "recorded");
        }
    }

    @Test
    void nobodyWaitsForAStoreThatSharesThePoolForLongerThanItsTimeout() throws Exception {
        Duration timeout = Duration.ofSeconds(2);
        int executed = 0;
        try (TransactionalShop shop = open(new JdbcStoreSettings("idempotency_", 0, timeout))) {
            for (Future<Answer> answer : callAll(shop)) {
                // What a busy machine needs besides.
                assertThat(answer.get().waited()).isLessThan(timeout.plusSeconds(10));
                executed += answer.get().value().isPresent() ? 1 : 0;
            }
            assertThat(shop.rows()).hasSize(executed);
        }
    }

    /**
     * What came of a call.
     *
     * @param value empty where the store did not answer in time
     * @param waited how long the call waited for the store before its work began, or it was refused
     */
    private record Answer(Optional<String> value, Duration waited) {}

    private TransactionalShop open(JdbcStoreSettings settings) {
        return TransactionalShop.open(
                new TransactionalShop.Setting(
                        product, TransactionalShop.Manager.JDBC, TransactionDefinition.ISOLATION_READ_COMMITTED),
                database,
                application,
                settings);
    }

    private List<Future<Answer>> callAll(TransactionalShop shop) {
        List<Future<Answer>> answers = IntStream.range(0, CALLS)
                .mapToObj(number -> threads.submit(() -> {
                    start.await();
                    return call(shop, number);
                }))
                .toList();
        start.countDown();
        return answers;
    }

    private static Answer call(TransactionalShop shop, int number) {
        return switch (Kind.values()[number % Kind.values().length]) {
            case TRANSACTIONAL -> book(shop, number, shop.withLease(LEASE));
            case PLAIN -> book(shop, number, OperationPolicy.DEFAULT.withLease(LEASE));
            case INSIDE_A_TRANSACTION ->
                shop.transactions().execute(status -> book(shop, number, OperationPolicy.DEFAULT.withLease(LEASE)));
        };
    }

    private static Answer book(TransactionalShop shop, int number, OperationPolicy policy) {
        long begin = System.nanoTime();
        long[] claimed = {0};
        shop.transactionManager().atBeginOfThisThread(() -> claimed[0] = System.nanoTime());
        try {
            String value = shop.call("call-" + number, policy)
                    .execute(String.class, () -> {
                        if (claimed[0] == 0) {
                            claimed[0] = System.nanoTime();
                        }
                        shop.insert(number);
                        work();
                        return "booked";
                    })
                    .value();
            return new Answer(Optional.of(value), Duration.ofNanos(claimed[0] - begin));
        } catch (IdempotencyStoreException silent) {
            return new Answer(Optional.empty(), Duration.ofNanos(System.nanoTime() - begin));
        }
    }

    private static void work() throws IllegalStateException {
        try {
            assertThat(new CountDownLatch(1).await(WORK.toMillis(), TimeUnit.MILLISECONDS))
                    .isFalse();
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }
}
