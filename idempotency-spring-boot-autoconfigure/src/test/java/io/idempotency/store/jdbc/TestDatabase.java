package io.idempotency.store.jdbc;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.idempotency.testsupport.TestServers;
import java.time.Duration;
import java.util.UUID;
import javax.sql.DataSource;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * A database, or a schema of one, that a test class has for itself, with the pool of an application. Its sessions are in a
 * time zone that no machine which runs the tests is in.
 */
final class TestDatabase implements AutoCloseable {

    /** The databases that are supported. */
    enum Product {
        H2,
        POSTGRES;

        TestDatabase open() {
            return this == H2 ? h2() : postgres();
        }
    }

    /** Generous: what a busy machine is slow at must not fail a test that is about something else. */
    static final JdbcStoreSettings SETTINGS = new JdbcStoreSettings("idempotency_", 4, Duration.ofSeconds(20));

    private static final String FAR_AWAY = "SET TIME ZONE 'Pacific/Kiritimati'";

    private final HikariConfig configuration;

    private final HikariDataSource application;

    private TestDatabase(HikariConfig configuration) {
        this.configuration = configuration;
        this.application = new HikariDataSource(configuration);
    }

    /** A new database of H2, in one of its modes. */
    static TestDatabase h2(String mode) {
        HikariConfig configuration = new HikariConfig();
        configuration.setJdbcUrl("jdbc:h2:mem:%s;DB_CLOSE_DELAY=-1;MODE=%s".formatted(UUID.randomUUID(), mode));
        configuration.setConnectionInitSql(FAR_AWAY);
        return new TestDatabase(configuration).withTable("h2");
    }

    static TestDatabase h2() {
        return h2("REGULAR");
    }

    /** A new schema of the PostgreSQL server that all tests share. */
    static TestDatabase postgres() {
        TestServers.Postgres server = TestServers.postgres();
        String schema = "test_" + UUID.randomUUID().toString().replace('-', '_');
        HikariConfig configuration = new HikariConfig();
        configuration.setJdbcUrl(server.url());
        configuration.setUsername(server.username());
        configuration.setPassword(server.password());
        configuration.setConnectionInitSql(FAR_AWAY);
        configuration.addDataSourceProperty("currentSchema", schema);
        TestDatabase database = new TestDatabase(configuration);
        database.jdbc().execute("CREATE SCHEMA " + schema);
        return database.withTable("postgresql");
    }

    private TestDatabase withTable(String platform) {
        new ResourceDatabasePopulator(new ClassPathResource("io/idempotency/store/jdbc/schema-" + platform + ".sql"))
                .execute(application);
        return this;
    }

    HikariDataSource application() {
        return application;
    }

    /** Returns the configuration of a pool on the same database, to be changed. */
    HikariConfig configuration() {
        HikariConfig copy = new HikariConfig();
        configuration.copyStateTo(copy);
        copy.setPoolName(null);
        return copy;
    }

    JdbcIdempotencyStore openStore() {
        return openStore(application, SETTINGS);
    }

    static JdbcIdempotencyStore openStore(DataSource dataSource, JdbcStoreSettings settings) {
        return JdbcIdempotencyStore.open(dataSource, JdbcDialects.detect(dataSource), settings);
    }

    /** Returns what goes around the application's own transactions, and keeps one connection as long as they last. */
    TransactionTemplate transactions() {
        return new TransactionTemplate(new DataSourceTransactionManager(application));
    }

    /** Returns the application's own access, which takes part in its transactions. */
    JdbcTemplate jdbc() {
        return new JdbcTemplate(application);
    }

    @Override
    public void close() {
        application.close();
    }
}
