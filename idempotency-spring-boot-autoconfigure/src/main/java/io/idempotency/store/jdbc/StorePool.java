package io.idempotency.store.jdbc;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.util.DriverDataSource;
import java.sql.SQLException;
import java.util.Optional;
import javax.sql.DataSource;

/** Builds the pool that a store has for itself. Loaded only where HikariCP is on the class path. */
final class StorePool {

    /** The least that HikariCP accepts as a time limit, in milliseconds. */
    private static final long SHORTEST_TIMEOUT = 250;

    private StorePool() {}

    /**
     * Builds a pool beside the application's, with its configuration. Empty where the application's is none of HikariCP's,
     * or a subclass, which may make its connections in a way of its own.
     */
    static Optional<HikariDataSource> beside(DataSource application, JdbcStoreSettings settings) {
        return unwrapped(application).map(pool -> new HikariDataSource(configuration(pool, settings)));
    }

    private static Optional<HikariDataSource> unwrapped(DataSource application) {
        try {
            return application.isWrapperFor(HikariDataSource.class)
                    ? Optional.of(application.unwrap(HikariDataSource.class))
                            .filter(pool -> pool.getClass() == HikariDataSource.class)
                    : Optional.empty();
        } catch (SQLException notTold) {
            return Optional.empty();
        }
    }

    private static HikariConfig configuration(HikariDataSource pool, JdbcStoreSettings settings) {
        HikariConfig configuration = new HikariConfig();
        pool.copyStateTo(configuration);
        long timeout = Math.max(settings.timeout().toMillis(), SHORTEST_TIMEOUT);
        configuration.setPoolName(
                pool.getPoolName() == null ? "idempotency-store" : pool.getPoolName() + "-idempotency-store");
        configuration.setMaximumPoolSize(settings.poolSize());
        configuration.setMinimumIdle(1);
        configuration.setConnectionTimeout(timeout);
        configuration.setValidationTimeout(Math.min(configuration.getValidationTimeout(), timeout));
        configuration.setAutoCommit(true);
        configuration.setReadOnly(false);
        configuration.setTransactionIsolation("TRANSACTION_READ_COMMITTED");
        database(configuration).map(PersistentDataSource::new).ifPresent(configuration::setDataSource);
        return configuration;
    }

    /** Returns what makes connections; empty where the pool looks it up or builds it by the name of its class. */
    private static Optional<DataSource> database(HikariConfig configuration) {
        if (configuration.getDataSource() != null) {
            return Optional.of(configuration.getDataSource());
        }
        return configuration.getDataSourceClassName() == null && configuration.getJdbcUrl() != null
                ? Optional.of(new DriverDataSource(
                        configuration.getJdbcUrl(),
                        configuration.getDriverClassName(),
                        configuration.getDataSourceProperties(),
                        configuration.getUsername(),
                        configuration.getPassword()))
                : Optional.empty();
    }
}
