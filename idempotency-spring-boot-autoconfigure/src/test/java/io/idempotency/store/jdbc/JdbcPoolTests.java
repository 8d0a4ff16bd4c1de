package io.idempotency.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.zaxxer.hikari.HikariDataSource;
import io.idempotency.testsupport.CapturedLog;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/** Which pool a store gets beside that of the application. */
class JdbcPoolTests {

    private final TestDatabase database = TestDatabase.h2();

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void thePoolIsFoundBehindAWrapper() {
        try (JdbcIdempotencyStore store =
                database.openStore(new DelegatingDataSource(database.application()), TestDatabase.SETTINGS)) {
            assertThat(sessions()).isEqualTo(applications() + 1);
            Claims.granted(store, Claims.newIdentity());
        }
        assertThat(sessions()).isEqualTo(applications());
    }

    @Test
    void aPoolOfAnotherKindIsSharedWhichIsSaid() {
        try (CapturedLog log = new CapturedLog(JdbcConnections.class.getName(), "WARN");
                HikariDataSource subclass = new HikariDataSource(database.configuration()) {};
                JdbcIdempotencyStore store = database.openStore(subclass, TestDatabase.SETTINGS)) {
            assertThat(sessions())
                    .isEqualTo(applications() + subclass.getHikariPoolMXBean().getTotalConnections());
            assertThat(log.lines())
                    .singleElement()
                    .satisfies(line -> assertThat(line).contains("idempotency.jdbc.pool-size=0"));
            Claims.granted(store, Claims.newIdentity());
        }
    }

    @Test
    void thePoolIsClosedWhenTheTableIsMissing() {
        database.dropTables();

        assertThatExceptionOfType(JdbcStoreSetupException.class).isThrownBy(database::openStore);

        assertThat(sessions()).isEqualTo(applications());
    }

    private int sessions() {
        return database.jdbc().queryForObject("SELECT COUNT(*) FROM information_schema.sessions", Integer.class);
    }

    private int applications() {
        return database.application().getHikariPoolMXBean().getTotalConnections();
    }
}
