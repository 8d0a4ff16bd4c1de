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
import io.idempotency.store.jdbc.JdbcStoreSetupException;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Stores that are down when an application starts, and up later. */
@Tag("faults")
class StoreAtStartTests {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Operation operation = new Operation(OperationPolicy.DEFAULT);

    @Test
    void aRedisThatIsDownAtTheStartIsUsedOnceItIsUp() {
        StoreAddress address = StoreAddress.Kind.REDIS.address();
        try (TcpProxy proxy = address.newProxy()) {
            proxy.refuse();
            try (OpenStore store = address.through(proxy).open(Promptness.STORE_TIMEOUT);
                    IdempotencyTemplate engine = Operation.engine(store.store(), Promptness.STORE_TIMEOUT);
                    IdempotencyTemplate patientEngine = Operation.engine(store.store(), PATIENCE)) {
                assertThatThrownBy(() -> operation.call(engine, Duration.ZERO, () -> "ran"))
                        .isInstanceOf(IdempotencyStoreException.class);

                proxy.comeBack();

                assertThat(operation.call(patientEngine, PATIENCE, () -> "ran").replayed())
                        .isFalse();
                assertThat(operation.executions()).isOne();
            }
        }
    }

    @Test
    void aRedisThatIsSilentAtTheStartIsUsedOnceItAnswers() {
        StoreAddress address = StoreAddress.Kind.REDIS.address();
        try (TcpProxy proxy = address.newProxy()) {
            proxy.freeze();
            try (OpenStore store =
                            Promptness.promptly(() -> address.through(proxy).open(Promptness.STORE_TIMEOUT));
                    IdempotencyTemplate engine = Operation.engine(store.store(), Promptness.STORE_TIMEOUT);
                    IdempotencyTemplate patientEngine = Operation.engine(store.store(), PATIENCE)) {
                operation.isRefusedInTime(engine);

                proxy.thaw();

                assertThat(operation.call(patientEngine, PATIENCE, () -> "ran").replayed())
                        .isFalse();
                assertThat(operation.executions()).isOne();
            }
        }
    }

    @Test
    void aDatabaseThatIsDownAtTheStartCannotBeOpenedUntilItIsUp() {
        StoreAddress address = StoreAddress.Kind.POSTGRES.address();
        try (TcpProxy proxy = address.newProxy();
                HikariDataSource application = address.through(proxy).newLazyPool()) {
            proxy.refuse();
            assertThatThrownBy(() -> open(application))
                    .isInstanceOfAny(JdbcStoreSetupException.class, IdempotencyStoreException.class);

            proxy.comeBack();

            try (JdbcIdempotencyStore store = open(application);
                    IdempotencyTemplate engine = Operation.engine(store, PATIENCE)) {
                assertThat(operation.call(engine, Duration.ZERO, () -> "ran").replayed())
                        .isFalse();
            }
        }
    }

    private static JdbcIdempotencyStore open(HikariDataSource application) {
        return JdbcIdempotencyStore.open(
                application,
                JdbcDialects.detect(application),
                new JdbcStoreSettings("idempotency_", 4, Promptness.STORE_TIMEOUT));
    }
}
