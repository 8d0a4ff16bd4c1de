package io.idempotency.faults;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.idempotency.core.IdempotencyTemplate;
import io.idempotency.core.OperationPolicy;
import io.idempotency.store.jdbc.JdbcDialects;
import io.idempotency.store.jdbc.JdbcIdempotencyStore;
import io.idempotency.store.jdbc.JdbcStoreSettings;
import io.idempotency.testsupport.PreparedStatements;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Pools that have no connection left. */
@Tag("faults")
class ExhaustedPoolTests {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private static final int ONLY_CONNECTION = 1;

    /** As many as a store has by default, but for the one that is kept for renewals. */
    private static final int OWN_CONNECTIONS = 3;

    private final Operation operation = new Operation(OperationPolicy.DEFAULT);

    private final StoreAddress address = StoreAddress.Kind.POSTGRES.address();

    private final HikariDataSource application = address.newPool(ONLY_CONNECTION);

    private final ExecutorService threads = Executors.newCachedThreadPool();

    @AfterEach
    void close() {
        threads.shutdownNow();
        application.close();
    }

    @Test
    void theStoreNeedsNoneOfTheConnectionsOfTheApplication() throws SQLException {
        try (JdbcIdempotencyStore store = openStore(4);
                IdempotencyTemplate engine = Operation.engine(store, Promptness.STORE_TIMEOUT);
                Connection last = application.getConnection()) {
            assertThat(last.isValid(1)).isTrue();

            assertThat(operation.call(engine, Duration.ZERO, () -> "ran").value())
                    .isEqualTo("ran");
        }
    }

    @Test
    void aSharedPoolWithoutAConnectionIsRefusedInTimeAndWorksAgain() throws SQLException {
        try (JdbcIdempotencyStore store = openStore(0);
                IdempotencyTemplate engine = Operation.engine(store, Promptness.STORE_TIMEOUT)) {
            try (Connection last = application.getConnection()) {
                assertThat(last.isValid(1)).isTrue();
                operation.isRefusedInTime(engine);
            }

            assertThat(operation.call(engine, PATIENCE, () -> "ran").replayed()).isFalse();
            assertThat(operation.executions()).isOne();
        }
    }

    @Test
    void theStoresOwnPoolWithoutAConnectionIsRefusedInTimeAndWorksAgain() {
        Hold hold = new Hold(OWN_CONNECTIONS);
        HikariConfig configuration = new HikariConfig();
        configuration.setDataSource(new PreparedStatements(address.dataSource(), hold));
        try (HikariDataSource pool = new HikariDataSource(configuration);
                OpenStore store = address.openOver(pool, Promptness.STORE_TIMEOUT);
                IdempotencyTemplate engine = Operation.engine(store.store(), Promptness.STORE_TIMEOUT)) {
            hold.begin();
            List<CompletableFuture<?>> held = Stream.<CompletableFuture<?>>generate(
                            () -> CompletableFuture.runAsync(() -> store.store().find(operation.identity()), threads))
                    .limit(OWN_CONNECTIONS)
                    .toList();
            hold.awaitAll();

            operation.isRefusedInTime(engine);

            hold.end();
            assertThat(held).allSatisfy(verb -> assertThat(verb).succeedsWithin(PATIENCE));
            // The claim that was given up may have got its turn in the last moment, and is released soon.
            assertThat(operation.call(engine, PATIENCE, () -> "ran").replayed()).isFalse();
            assertThat(operation.executions()).isOne();
        }
    }

    private JdbcIdempotencyStore openStore(int poolSize) {
        return JdbcIdempotencyStore.open(
                application,
                JdbcDialects.detect(application),
                new JdbcStoreSettings("idempotency_", poolSize, Promptness.STORE_TIMEOUT));
    }

    /** Keeps statements from being prepared, and with them their connections from the pool. */
    private static final class Hold implements PreparedStatements.Hand {

        private final CountDownLatch held;

        private final CountDownLatch end = new CountDownLatch(1);

        private volatile boolean begun;

        Hold(int connections) {
            held = new CountDownLatch(connections);
        }

        void begin() {
            begun = true;
        }

        void awaitAll() {
            await(held);
        }

        void end() {
            end.countDown();
        }

        @Override
        public String take(String statement) {
            if (begun) {
                held.countDown();
                await(end);
            }
            return statement;
        }

        private static void await(CountDownLatch latch) {
            try {
                assertThat(latch.await(1, TimeUnit.MINUTES)).isTrue();
            } catch (InterruptedException interrupted) {
                throw new AssertionError(interrupted);
            }
        }
    }
}
