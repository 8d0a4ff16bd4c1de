package io.idempotency.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.h2.jdbcx.JdbcDataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;

class PersistentDataSourceTests {

    private static final String REFUSED = "08001";

    private static final String WRONG_PASSWORD = "28P01";

    private final Database database = new Database();

    private final PersistentDataSource persistent = new PersistentDataSource(database);

    @ParameterizedTest
    @ValueSource(strings = {REFUSED, WRONG_PASSWORD})
    void theFirstFailureIsTold(String state) {
        database.fail(state, Integer.MAX_VALUE);

        assertThatThrownBy(persistent::getConnection).isInstanceOf(SQLException.class);

        assertThat(database.tries).hasValue(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {REFUSED, "08000", "57P03"})
    void aDatabaseThatIsKnownToBeAwayIsAskedUntilItIsBack(String state) throws SQLException {
        persistent.getConnection().close();
        database.fail(state, 4);
        assertThatThrownBy(persistent::getConnection).isInstanceOf(SQLException.class);

        try (Connection connection = persistent.getConnection()) {
            assertThat(connection.isValid(1)).isTrue();
        }

        assertThat(database.tries).hasValue(5);
    }

    /** A pool that is to fail when the database is not there in time could not, if it were not told. */
    @Test
    void everyFailureBeforeTheFirstConnectionIsTold() {
        database.fail(REFUSED, 2);
        assertThatThrownBy(persistent::getConnection).isInstanceOf(SQLException.class);

        assertThatThrownBy(persistent::getConnection).isInstanceOf(SQLException.class);

        assertThat(database.tries).hasValue(2);
    }

    @Test
    void aDatabaseThatIsAwayIsNotAskedWithoutAPause() throws SQLException {
        persistent.getConnection().close();
        database.fail(REFUSED, 4);
        assertThatThrownBy(persistent::getConnection).isInstanceOf(SQLException.class);
        long begin = System.nanoTime();

        persistent.getConnection().close();

        // Three pauses of a tenth of a second, of which none is ever shorter than that.
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThan(Duration.ofMillis(250));
    }

    @Test
    void theFirstFailureOfEachOutageIsTold() throws SQLException {
        persistent.getConnection().close();
        database.fail(REFUSED, 1);
        assertThatThrownBy(persistent::getConnection).isInstanceOf(SQLException.class);
        persistent.getConnection().close();

        database.fail(REFUSED, 1);

        assertThatThrownBy(persistent::getConnection).isInstanceOf(SQLException.class);
    }

    @Test
    void everyFailureOfADatabaseThatRefusesIsTold() throws SQLException {
        persistent.getConnection().close();
        database.fail(WRONG_PASSWORD, Integer.MAX_VALUE);
        assertThatThrownBy(persistent::getConnection).isInstanceOf(SQLException.class);

        assertThatThrownBy(persistent::getConnection).isInstanceOf(SQLException.class);
    }

    @Test
    void anInterruptEndsIt() throws SQLException {
        persistent.getConnection().close();
        database.fail(REFUSED, Integer.MAX_VALUE);
        assertThatThrownBy(persistent::getConnection).isInstanceOf(SQLException.class);

        Thread.currentThread().interrupt();

        assertThatThrownBy(persistent::getConnection).isInstanceOf(SQLException.class);
        assertThat(Thread.interrupted()).isTrue();
    }

    /** HikariCP by itself tries it 14 times in this time, with five seconds between the last of them. */
    @Test
    void thePoolOfAStoreAsksForADatabaseThatIsAwayWithoutLongPauses() throws SQLException {
        HikariConfig configuration = new HikariConfig();
        configuration.setDataSource(database);
        configuration.setMinimumIdle(0);
        configuration.setInitializationFailTimeout(-1);
        try (HikariDataSource application = new HikariDataSource(configuration);
                HikariDataSource pool = StorePool.beside(
                                application, new JdbcStoreSettings("idempotency_", 1, Duration.ofSeconds(30)))
                        .orElseThrow()) {
            pool.getConnection().close();
            database.fail(REFUSED, Integer.MAX_VALUE);
            pool.getHikariPoolMXBean().softEvictConnections();

            await().atMost(Duration.ofSeconds(30))
                    .untilAsserted(() -> assertThat(database.tries).hasValueGreaterThan(18));
            database.fail(REFUSED, 0);

            try (Connection connection = pool.getConnection()) {
                assertThat(connection.isValid(1)).isTrue();
            }
        }
    }

    /** A database in memory that can be away. */
    private static final class Database extends DelegatingDataSource {

        /** Since it was said to fail. */
        private final AtomicInteger tries = new AtomicInteger();

        private volatile @Nullable String state;

        private volatile int failures;

        Database() {
            JdbcDataSource h2 = new JdbcDataSource();
            h2.setURL("jdbc:h2:mem:persistent");
            setTargetDataSource(h2);
        }

        void fail(String state, int failures) {
            this.state = state;
            this.failures = failures;
            tries.set(0);
        }

        @Override
        public Connection getConnection() throws SQLException {
            if (tries.incrementAndGet() <= failures) {
                throw new SQLException("away", state);
            }
            return super.getConnection();
        }
    }
}
