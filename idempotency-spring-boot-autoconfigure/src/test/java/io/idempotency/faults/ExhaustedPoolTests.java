package io.idempotency.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.idempotency.core.IdempotencyStoreException;
import io.idempotency.core.IdempotencyTemplate;
import io.idempotency.core.OperationPolicy;
import io.idempotency.store.jdbc.JdbcDialects;
import io.idempotency.store.jdbc.JdbcIdempotencyStore;
import io.idempotency.store.jdbc.JdbcStoreSettings;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Pools that have no connection left, with the 30 seconds that HikariCP waits for one by default. */
@Tag("faults")
class ExhaustedPoolTests {

    private static final Duration STORE_TIMEOUT = Duration.ofSeconds(2);

    /** Far more than a busy machine needs, and less than HikariCP waits. */
    private static final Duration ANSWERED = Duration.ofSeconds(20);

    private static final int ONLY_CONNECTION = 1;

    private final Operation operation = new Operation(OperationPolicy.DEFAULT);

    private HikariDataSource application;

    @BeforeEach
    void open() {
        application = StoreAddress.Kind.POSTGRES.address().newPool(ONLY_CONNECTION);
    }

    @AfterEach
    void close() {
        application.close();
    }

    @Test
    void theStoreNeedsNoneOfTheConnectionsOfTheApplication() throws SQLException {
        try (JdbcIdempotencyStore store = openStore(4);
                IdempotencyTemplate engine = Operation.engine(store, STORE_TIMEOUT);
                Connection last = application.getConnection()) {
            assertThat(last.isValid(1)).isTrue();

            assertThat(operation.call(engine, Duration.ZERO, () -> "ran").value())
                    .isEqualTo("ran");
        }
    }

    @Test
    void aSharedPoolWithoutAConnectionIsRefusedInTimeAndWorksAgain() throws SQLException {
        try (JdbcIdempotencyStore store = openStore(0);
                IdempotencyTemplate engine = Operation.engine(store, STORE_TIMEOUT)) {
            try (Connection last = application.getConnection()) {
                assertThat(last.isValid(1)).isTrue();
                assertThatRefusedInTime(engine, operation);
            }

            assertThat(operation.call(engine, ANSWERED, () -> "ran").replayed()).isFalse();
            assertThat(operation.executions()).isOne();
        }
    }

    private JdbcIdempotencyStore openStore(int poolSize) {
        return JdbcIdempotencyStore.open(
                application,
                JdbcDialects.detect(application),
                new JdbcStoreSettings("idempotency_", poolSize, STORE_TIMEOUT));
    }

    private static void assertThatRefusedInTime(IdempotencyTemplate engine, Operation refused) {
        long begin = System.nanoTime();
        assertThatThrownBy(() -> refused.call(engine, Duration.ZERO, () -> "ran"))
                .isInstanceOf(IdempotencyStoreException.class);
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(ANSWERED);
        assertThat(refused.executions()).isZero();
    }
}
