package io.idempotency.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.idempotency.core.Claim;
import io.idempotency.core.Identity;
import io.idempotency.core.Ownership;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/** What is left of the store on a connection that it shares with the application. */
@ParameterizedClass
@MethodSource("io.idempotency.store.jdbc.TestDatabase#products")
class JdbcConnectionStateTests {

    private static final JdbcStoreSettings SHARED = new JdbcStoreSettings("idempotency_", 0, Duration.ofSeconds(20));

    @Parameter
    private TestDatabase.Product product;

    private TestDatabase database;

    private HikariDataSource withoutAutoCommit;

    private final Identity identity = Claims.newIdentity();

    @BeforeEach
    void open() {
        database = product.open();
        HikariConfig configuration = database.configuration();
        configuration.setAutoCommit(false);
        configuration.setMaximumPoolSize(1);
        withoutAutoCommit = new HikariDataSource(configuration);
    }

    @AfterEach
    void close() {
        withoutAutoCommit.close();
        database.close();
    }

    @Test
    void whatIsWrittenOnAConnectionWithoutAutoCommitIsVisibleAtOnce() {
        try (JdbcIdempotencyStore sharing = database.openStore(withoutAutoCommit, SHARED);
                JdbcIdempotencyStore another = database.openStore()) {
            Claim claim = Claims.granted(sharing, identity);

            assertThat(another.find(identity)).isPresent();
            assertThat(another.complete(claim, Claims.OUTCOME, Claims.RETENTION))
                    .isEqualTo(Ownership.OWNED);
        }
    }

    @Test
    void aStoreWithItsOwnPoolWritesBesideAPoolThatOnlyReads() {
        HikariConfig configuration = database.configuration();
        configuration.setAutoCommit(false);
        configuration.setReadOnly(true);
        configuration.setTransactionIsolation("TRANSACTION_SERIALIZABLE");
        try (HikariDataSource reading = new HikariDataSource(configuration);
                JdbcIdempotencyStore store = database.openStore(reading, TestDatabase.SETTINGS)) {
            Claim claim = Claims.granted(store, identity);

            assertThat(store.complete(claim, Claims.OUTCOME, Claims.RETENTION)).isEqualTo(Ownership.OWNED);
        }
    }

    @Test
    void aSharedConnectionIsGivenBackWithoutAutoCommit() {
        AtomicBoolean broken = new AtomicBoolean();
        Recycling recycling = new Recycling(withoutAutoCommit, broken);
        try (JdbcIdempotencyStore sharing = database.openStore(recycling, SHARED)) {
            Claims.complete(sharing, identity);

            assertThat(recycling.lastAutoCommit).isFalse();
        }
    }

    @Test
    void noTimeLimitIsLeftOnASharedConnection() throws SQLException {
        try (JdbcIdempotencyStore sharing = database.openStore(withoutAutoCommit, SHARED)) {
            Claims.complete(sharing, identity);
        }

        try (Connection next = withoutAutoCommit.getConnection();
                Statement statement = next.createStatement()) {
            assertThat(statement.getQueryTimeout()).isZero();
        }
    }

    @Test
    void aSharedConnectionThatCannotBePutRightIsNotUsedAgain() throws SQLException {
        AtomicBoolean broken = new AtomicBoolean();
        try (JdbcIdempotencyStore sharing = database.openStore(new Recycling(withoutAutoCommit, broken), SHARED)) {
            Claim claim = Claims.granted(sharing, identity);
            broken.set(true);

            assertThat(sharing.complete(claim, Claims.OUTCOME, Claims.RETENTION))
                    .isEqualTo(Ownership.OWNED);
        }

        database.jdbc().execute("CREATE TABLE business (number INTEGER)");
        try (Connection next = withoutAutoCommit.getConnection();
                Statement statement = next.createStatement()) {
            assertThat(next.getAutoCommit()).isFalse();
            statement.executeUpdate("INSERT INTO business VALUES (1)");
            next.rollback();
        }
        assertThat(database.jdbc().queryForObject("SELECT COUNT(*) FROM business", Integer.class))
                .isZero();
    }

    /** Hands out connections whose autocommit cannot be switched off once they are broken. */
    private static final class Recycling extends DelegatingDataSource {

        private final AtomicBoolean broken;

        private boolean lastAutoCommit = true;

        Recycling(DataSource target, AtomicBoolean broken) {
            super(target);
            this.broken = broken;
        }

        @Override
        public Connection getConnection() throws SQLException {
            Connection target = super.getConnection();
            return (Connection) Proxy.newProxyInstance(
                    Connection.class.getClassLoader(),
                    new Class<?>[] {Connection.class},
                    (proxy, method, arguments) -> {
                        if (method.getName().equals("setAutoCommit") && broken.get() && !((boolean) arguments[0])) {
                            throw new SQLException("broken");
                        }
                        if (method.getName().equals("close")) {
                            lastAutoCommit = !target.isClosed() && target.getAutoCommit();
                        }
                        try {
                            return method.invoke(target, arguments);
                        } catch (InvocationTargetException failure) {
                            throw failure.getCause();
                        }
                    });
        }
    }
}
