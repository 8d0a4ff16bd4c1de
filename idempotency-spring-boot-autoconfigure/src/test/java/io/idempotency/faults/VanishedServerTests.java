package io.idempotency.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import io.idempotency.core.IdempotencyStoreException;
import io.idempotency.core.IdempotencyTemplate;
import io.idempotency.core.OperationPolicy;
import io.idempotency.faults.TcpProxy.Fault;
import io.idempotency.store.jdbc.JdbcDialects;
import io.idempotency.store.jdbc.JdbcIdempotencyStore;
import io.idempotency.store.jdbc.JdbcStoreSettings;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A server that a failover left behind says nothing any more, not even that its connections are closed, while its
 * successor takes new ones at the same address.
 */
@Tag("faults")
class VanishedServerTests {

    private static final Duration STORE_TIMEOUT = Duration.ofSeconds(1);

    /** Much less than the operating system waits for an answer that does not come. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static final int ONLY_CONNECTION = 1;

    @Test
    void aConnectionThatIsNeverAnsweredDoesNotKeepTheDatabaseAway() {
        StoreAddress address = StoreAddress.Kind.POSTGRES.address();
        try (TcpProxy proxy = address.newProxy();
                HikariDataSource application = address.through(proxy).newPool();
                JdbcIdempotencyStore store = JdbcIdempotencyStore.open(
                        application,
                        JdbcDialects.detect(application),
                        new JdbcStoreSettings("idempotency_", ONLY_CONNECTION, STORE_TIMEOUT));
                IdempotencyTemplate engine = Operation.engine(store, STORE_TIMEOUT)) {
            Operation unanswered = new Operation(OperationPolicy.DEFAULT);
            proxy.disturb(new Trap(Fault.FREEZE_AFTER_REQUEST, address.marker(unanswered.identity()), 1));
            assertThatThrownBy(() -> call(engine, unanswered)).isInstanceOf(IdempotencyStoreException.class);

            proxy.strand();
            proxy.thaw();

            await().atMost(PATIENCE)
                    .ignoreExceptionsInstanceOf(IdempotencyStoreException.class)
                    .untilAsserted(() -> assertThat(call(engine, new Operation(OperationPolicy.DEFAULT)))
                            .isEqualTo("ran"));
        }
    }

    private static String call(IdempotencyTemplate engine, Operation operation) {
        return operation.call(engine, Duration.ZERO, () -> "ran").value();
    }
}
