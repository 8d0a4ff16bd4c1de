package io.idempotency.store.jdbc;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.idempotency.core.Fingerprint;
import io.idempotency.core.Identity;
import io.idempotency.core.Outcome;
import io.idempotency.core.OwnerToken;
import io.idempotency.testsupport.MariaDbServer;
import io.idempotency.testsupport.TestServers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.Resource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * A database, or a schema of one, that a test class has for itself, with the pool of an application. Its sessions are in a
 * time zone that no machine which runs the tests is in.
 */
final class TestDatabase implements AutoCloseable {

    /** The databases and the statements that all tests are run with. */
    enum Product {
        H2,
        POSTGRES,
        MARIADB,
        MYSQL,
        GENERIC;

        TestDatabase open() {
            return switch (this) {
                case H2 -> h2();
                case POSTGRES -> postgres();
                case MARIADB -> mariaDb();
                case MYSQL -> mySql();
                case GENERIC -> generic();
            };
        }
    }

    /** Returns what there is of the products. */
    static Stream<Product> products() {
        return Stream.of(Product.values())
                .filter(product ->
                        product != Product.MYSQL || TestServers.mySql().isPresent());
    }

    /** Returns those that delete records without waiting for what another transaction has locked. */
    static Stream<Product> productsThatSweepAroundLocks() {
        return productsThatSkipLockedRecords().filter(product -> product != Product.H2);
    }

    /** Returns those that skip records which another transaction has locked. */
    static Stream<Product> productsThatSkipLockedRecords() {
        return products().filter(product -> product != Product.GENERIC);
    }

    /** Generous: what a busy machine is slow at must not fail a test that is about something else. */
    static final JdbcStoreSettings SETTINGS = new JdbcStoreSettings("idempotency_", 4, Duration.ofSeconds(20));

    private static final String LONG_AGO = "2001-02-03 04:05:06";

    private static final String FAR_AWAY = "SET TIME ZONE 'Pacific/Kiritimati'";

    private final HikariConfig configuration;

    private final HikariDataSource application;

    private final String platform;

    private final List<String> endings = new ArrayList<>();

    private TestDatabase(HikariConfig configuration, String platform) {
        this.configuration = configuration;
        this.application = new HikariDataSource(configuration);
        this.platform = platform;
    }

    /** A new database of H2, in one of its modes, which may be followed by other settings. */
    static TestDatabase h2(String mode) {
        return new TestDatabase(inMemory(mode), "h2").withTable();
    }

    static TestDatabase h2() {
        return h2("REGULAR");
    }

    /** A new database of H2 that is spoken to as if nobody knew it. */
    static TestDatabase generic() {
        return new TestDatabase(inMemory("REGULAR"), "generic").withTable();
    }

    /** A new database of HSQLDB, which nobody knows. */
    static TestDatabase hsqldb() {
        HikariConfig configuration = new HikariConfig();
        configuration.setJdbcUrl("jdbc:hsqldb:mem:%s;shutdown=true".formatted(UUID.randomUUID()));
        configuration.setConnectionInitSql("SET TIME ZONE INTERVAL '+13:00' HOUR TO MINUTE");
        return new TestDatabase(configuration, "generic").withTable();
    }

    private static HikariConfig inMemory(String mode) {
        HikariConfig configuration = new HikariConfig();
        configuration.setJdbcUrl("jdbc:h2:mem:%s;DB_CLOSE_DELAY=-1;MODE=%s".formatted(UUID.randomUUID(), mode));
        configuration.setConnectionInitSql(FAR_AWAY);
        return configuration;
    }

    /** A new schema of the PostgreSQL server that all tests share. */
    static TestDatabase postgres() {
        TestServers.Postgres server = TestServers.postgres();
        String schema = newName();
        HikariConfig configuration = new HikariConfig();
        configuration.setJdbcUrl(server.url());
        configuration.setUsername(server.username());
        configuration.setPassword(server.password());
        configuration.setConnectionInitSql(FAR_AWAY);
        configuration.addDataSourceProperty("currentSchema", schema);
        TestDatabase database = new TestDatabase(configuration, "postgresql");
        database.jdbc().execute("CREATE SCHEMA " + schema);
        return database.withTable();
    }

    /** A new database of the MariaDB server that all tests share. */
    static TestDatabase mariaDb() {
        return mariaDb("");
    }

    /** The same, with parameters of its driver. */
    static TestDatabase mariaDb(String driverParameters) {
        MariaDbServer server = TestServers.mariaDb();
        return on(server, server.scheme(), driverParameters);
    }

    static TestDatabase mariaDbByTheDriverOfMySql() {
        return on(TestServers.mariaDb(), "mysql", "");
    }

    /** A new database of the MySQL server that all tests share, where there is one. */
    static TestDatabase mySql() {
        return on(TestServers.mySql().orElseThrow(), "mysql", "");
    }

    private static TestDatabase on(MariaDbServer server, String driver, String driverParameters) {
        String name = newName();
        new JdbcTemplate(new DriverManagerDataSource(server.url(""), server.username(), server.password()))
                .execute("CREATE DATABASE " + name);
        HikariConfig configuration = new HikariConfig();
        configuration.setJdbcUrl(
                "jdbc:%s://%s:%d/%s%s".formatted(driver, server.host(), server.port(), name, driverParameters));
        configuration.setUsername(server.username());
        configuration.setPassword(server.password());
        configuration.setConnectionInitSql("SET time_zone = '+13:00'");
        TestDatabase database = new TestDatabase(configuration, server.scheme());
        database.endings.add("DROP DATABASE " + name);
        return database.withTable();
    }

    private static String newName() {
        return "test_" + UUID.randomUUID().toString().replace('-', '_');
    }

    private TestDatabase withTable() {
        new ResourceDatabasePopulator(script(platform)).execute(application);
        return this;
    }

    static Resource script(String platform) {
        return new ClassPathResource("io/idempotency/store/jdbc/schema-" + platform + ".sql");
    }

    /** Makes another schema, which goes with this one. */
    String newSchema() {
        String schema = newName();
        jdbc().execute("CREATE SCHEMA " + schema);
        endings.add(
                "DROP SCHEMA " + schema + (platform.equals("mariadb") || platform.equals("mysql") ? "" : " CASCADE"));
        return schema;
    }

    /** Makes other tables, without an index. */
    void createTables(String prefix) {
        String script;
        try {
            script = script(platform).getContentAsString(StandardCharsets.UTF_8);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        Stream.of(script.split(";\\n"))
                .filter(statement -> statement.contains("CREATE TABLE"))
                .map(statement -> statement.replaceAll("idempotency_(?=record\\b|step\\b)", prefix))
                .forEach(jdbc()::execute);
    }

    void dropTables() {
        jdbc().execute("DROP TABLE idempotency_step");
        jdbc().execute("DROP TABLE idempotency_record");
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

    JdbcIdempotencyStore openStore(DataSource dataSource, JdbcStoreSettings settings) {
        return JdbcIdempotencyStore.open(dataSource, dialect(), settings);
    }

    /** Returns the dialect as it is detected, unless the database is to be spoken to in another. */
    JdbcDialect dialect() {
        return platform.equals("generic") ? JdbcDialects.of(platform) : JdbcDialects.detect(application);
    }

    /** Lets all records count as forgotten. */
    void expireRecords() {
        jdbc().update("UPDATE idempotency_record SET expires_at = " + time(LONG_AGO));
    }

    /** Lets the leases of all claims be over. */
    void expireLeases() {
        jdbc().update("UPDATE idempotency_record SET lease_until = " + time(LONG_AGO));
    }

    /** Returns the literal for a time in the columns of the table. */
    String time(String text) {
        return platform.equals("generic")
                ? String.valueOf(ChronoUnit.MICROS.between(Instant.EPOCH, Instant.parse(text.replace(' ', 'T') + "Z")))
                : "TIMESTAMP '" + text + "'";
    }

    /** Lets H2 give up a locked row after a moment, on connections that are made from now on; others have a time limit. */
    void waitForLocksBriefly() {
        if (platform.equals("h2") || platform.equals("generic")) {
            jdbc().execute("SET DEFAULT_LOCK_TIMEOUT 100");
        }
    }

    /** Adds records with outcomes of 200 bytes that count as forgotten. */
    void insertExpired(Collection<Identity> identities) {
        String insert = """
                INSERT INTO idempotency_record (id, operation, state, owner, attempt, generation, fingerprint, bound,
                                                hold_abandoned, expires_at, outcome)
                VALUES (?, 'operation', 2, ?, 1, 1, ?, FALSE, FALSE, %s, ?)
                """.formatted(time(LONG_AGO));
        byte[] owner = OwnerToken.random().toBytes();
        byte[] fingerprint = Fingerprint.of("asked").bytes();
        byte[] outcome = new Outcome(Outcome.Kind.VALUE, "text/1", new byte[180]).toBytes();
        transactions()
                .executeWithoutResult(status -> jdbc().batchUpdate(insert, identities, 1_000, (statement, identity) -> {
                    statement.setBytes(1, identity.digest());
                    statement.setBytes(2, owner);
                    statement.setBytes(3, fingerprint);
                    statement.setBytes(4, outcome);
                }));
    }

    void insertExpired(int number) {
        insertExpired(Stream.generate(Claims::newIdentity).limit(number).toList());
    }

    int records() {
        return Objects.requireNonNull(jdbc().queryForObject("SELECT COUNT(*) FROM idempotency_record", Integer.class));
    }

    /** Lets the database count its rows, as it does by itself sooner or later. */
    void analyze() {
        jdbc().execute(
                        switch (platform) {
                            case "mariadb", "mysql" -> "ANALYZE TABLE idempotency_record";
                            case "postgresql" -> "ANALYZE idempotency_record";
                            default -> "ANALYZE";
                        });
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
        endings.forEach(jdbc()::execute);
        application.close();
    }
}
