package io.idempotency.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.idempotency.core.Claim;
import io.idempotency.core.Fingerprint;
import io.idempotency.core.IdempotencyStoreException;
import io.idempotency.core.StepIdentity;
import io.idempotency.core.StepRecord;
import io.idempotency.core.StepState;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.datasource.DelegatingDataSource;

class StepStatementsTests {

    private static final JdbcStoreSettings SHARED = new JdbcStoreSettings("idempotency_", 0, Duration.ofSeconds(20));

    private static final StepRecord STEP =
            new StepRecord(StepIdentity.of("charge", null), StepState.RUNNING, Fingerprint.none(), 1, null);

    /** Else a pool that resets nothing would give it to the business, whose work would never be committed. */
    @Test
    void aSharedConnectionWhoseTransactionCannotBeUndoneIsEnded() {
        try (TestDatabase database = TestDatabase.generic()) {
            Breaking connections = new Breaking(database.application());
            try (JdbcIdempotencyStore store = database.openStore(connections, SHARED)) {
                Claim claim = Claims.granted(store, Claims.newIdentity());
                connections.broken = true;

                assertThatExceptionOfType(IdempotencyStoreException.class)
                        .isThrownBy(() -> store.recordStep(claim, STEP))
                        .havingCause()
                        .satisfies(
                                failure -> assertThat(failure.getSuppressed()).hasSize(1));

                assertThat(connections.ended).isEqualTo(1);
            }
        }
    }

    /** Hands out connections that, once they are broken, record no step and roll nothing back. */
    private static final class Breaking extends DelegatingDataSource {

        private boolean broken;

        private int ended;

        Breaking(DataSource target) {
            super(target);
        }

        @Override
        public Connection getConnection() throws SQLException {
            Connection target = super.getConnection();
            return (Connection) Proxy.newProxyInstance(
                    Connection.class.getClassLoader(),
                    new Class<?>[] {Connection.class},
                    (proxy, method, arguments) -> {
                        if (broken && isOfAStep(method.getName(), arguments)) {
                            throw new SQLException("broken", "08006");
                        }
                        if (method.getName().equals("abort")) {
                            ended++;
                        }
                        try {
                            return method.invoke(target, arguments);
                        } catch (InvocationTargetException failure) {
                            throw failure.getCause();
                        }
                    });
        }

        private static boolean isOfAStep(String method, Object[] arguments) {
            return method.equals("rollback")
                    || (method.equals("prepareStatement")
                            && String.valueOf(arguments[0]).startsWith("INSERT INTO idempotency_step"));
        }
    }
}
