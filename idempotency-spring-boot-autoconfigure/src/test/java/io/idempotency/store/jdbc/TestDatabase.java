package io.idempotency.store.jdbc;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.idempotency.testsupport.TestServers;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.UUID;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;

/**
 * A database, or a schema of one, that a test class has for itself, with the pool of an application. Its sessions are in a
 * time zone that no machine which runs the tests is in.
 */
final class TestDatabase implements AutoCloseable {

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
        configuration.setSchema(schema);
        TestDatabase database = new TestDatabase(configuration);
        database.execute("CREATE SCHEMA " + schema);
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
        return JdbcIdempotencyStore.open(application, JdbcDialects.detect(application), SETTINGS);
    }

    void execute(String sql) {
        try (Connection connection = application.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException failure) {
            throw new AssertionError(failure);
        }
    }

    @Override
    public void close() {
        application.close();
    }
}
