package io.idempotency.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;

class StorePoolTests {

    private static final JdbcStoreSettings SETTINGS = new JdbcStoreSettings("idempotency_", 2, Duration.ofSeconds(17));

    private static final int SECONDS_OF_THE_APPLICATION = 29;

    private final HikariConfig configuration = new HikariConfig();

    @Test
    void leavesTheDriverManagerTheTimeThatTheApplicationHasForALogin() {
        configuration.setJdbcUrl("jdbc:h2:mem:login");
        int before = DriverManager.getLoginTimeout();
        try (HikariDataSource application = new HikariDataSource(configuration)) {
            DriverManager.setLoginTimeout(SECONDS_OF_THE_APPLICATION);

            try (HikariDataSource ofStore =
                    StorePool.beside(application, SETTINGS).orElseThrow()) {
                assertThat(ofStore.getHikariPoolMXBean().getTotalConnections()).isPositive();
                assertThat(DriverManager.getLoginTimeout()).isEqualTo(SECONDS_OF_THE_APPLICATION);
            }
        } finally {
            DriverManager.setLoginTimeout(before);
        }
    }

    @Test
    void leavesADataSourceTheTimeThatTheApplicationHasForALogin() throws SQLException {
        JdbcDataSource database = new JdbcDataSource();
        database.setURL("jdbc:h2:mem:login");
        configuration.setDataSource(database);
        try (HikariDataSource application = new HikariDataSource(configuration)) {
            database.setLoginTimeout(SECONDS_OF_THE_APPLICATION);

            try (HikariDataSource ofStore =
                    StorePool.beside(application, SETTINGS).orElseThrow()) {
                assertThat(ofStore.getHikariPoolMXBean().getTotalConnections()).isPositive();
                assertThat(database.getLoginTimeout()).isEqualTo(SECONDS_OF_THE_APPLICATION);
            }
        }
    }
}
