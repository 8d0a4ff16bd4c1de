package io.idempotency.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.zaxxer.hikari.HikariDataSource;
import io.idempotency.testsupport.CapturedLog;
import io.idempotency.testsupport.MariaDbServer;
import io.idempotency.testsupport.TestServers;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.time.Duration;
import java.util.Map;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** What is found out before the first claim. */
class JdbcSetupTests {

    @Nested
    @ParameterizedClass
    @MethodSource("io.idempotency.store.jdbc.TestDatabase#products")
    class TheTable {

        @Parameter
        private TestDatabase.Product product;

        private TestDatabase database;

        @BeforeEach
        void open() {
            database = product.open();
        }

        @AfterEach
        void close() {
            database.close();
        }

        @Test
        void mustBeThere() {
            database.dropTables();

            assertThatExceptionOfType(JdbcStoreSetupException.class)
                    .isThrownBy(database::openStore)
                    .withMessageContaining("idempotency_record")
                    .satisfies(failure -> assertThat(failure.remedy())
                            .contains("io/idempotency/store/jdbc/schema-")
                            .contains("idempotency.jdbc.initialize-schema"));
        }

        @Test
        void ofTheStepsMustBeThere() {
            database.jdbc().execute("DROP TABLE idempotency_step");

            assertThatExceptionOfType(JdbcStoreSetupException.class)
                    .isThrownBy(database::openStore)
                    .withMessageContaining("idempotency_step");
        }

        @Test
        void mustHaveEveryColumn() {
            database.jdbc().execute("ALTER TABLE idempotency_record DROP COLUMN generation");

            assertThatExceptionOfType(JdbcStoreSetupException.class)
                    .isThrownBy(database::openStore)
                    .withMessageContaining("lacks a column")
                    .satisfies(failure ->
                            assertThat(failure.getCause().getMessage()).containsIgnoringCase("generation"));
        }

        @Test
        void mayHaveMoreColumns() {
            database.jdbc().execute("ALTER TABLE idempotency_record ADD COLUMN remark VARCHAR(10)");

            try (JdbcIdempotencyStore store = database.openStore()) {
                Claims.granted(store, Claims.newIdentity());
            }
        }

        @Test
        void mayLieInAnotherSchema() {
            String schema = database.newSchema();
            database.createTables(schema + ".idem_");

            try (JdbcIdempotencyStore store = database.openStore(
                    database.application(), new JdbcStoreSettings(schema + ".idem_", 1, Duration.ofSeconds(20)))) {
                Claims.granted(store, Claims.newIdentity());
            }
            assertThat(database.jdbc().queryForObject("SELECT COUNT(*) FROM idempotency_record", Integer.class))
                    .isZero();
        }
    }

    @Nested
    class ThePool {

        private final TestDatabase database = TestDatabase.h2();

        @AfterEach
        void close() {
            database.close();
        }

        @Test
        void isFoundBehindAWrapper() {
            try (JdbcIdempotencyStore store =
                    database.openStore(new DelegatingDataSource(database.application()), TestDatabase.SETTINGS)) {
                assertThat(sessions()).isEqualTo(applications() + 1);
                Claims.granted(store, Claims.newIdentity());
            }
            assertThat(sessions()).isEqualTo(applications());
        }

        @Test
        void ofAnotherKindIsSharedWhichIsSaid() {
            try (CapturedLog log = new CapturedLog(JdbcConnections.class.getName(), "WARN");
                    HikariDataSource subclass = new HikariDataSource(database.configuration()) {};
                    JdbcIdempotencyStore store = database.openStore(subclass, TestDatabase.SETTINGS)) {
                assertThat(sessions())
                        .isEqualTo(
                                applications() + subclass.getHikariPoolMXBean().getTotalConnections());
                assertThat(log.lines())
                        .singleElement()
                        .satisfies(line -> assertThat(line).contains("idempotency.jdbc.pool-size=0"));
                Claims.granted(store, Claims.newIdentity());
            }
        }

        @Test
        void isClosedWhenTheTableIsMissing() {
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

    @Nested
    class TheDialect {

        @ParameterizedTest
        @CsvSource({
            "PostgreSQL,12.0,postgresql",
            "PostgreSQL,18.1 (Debian 18.1-1),postgresql",
            "MySQL,8.0.44,mysql",
            "MySQL,9.5.0-log,mysql",
            "MariaDB,10.6.23-MariaDB,mariadb",
            "MariaDB,11.4.5-MariaDB-log,mariadb",
            // What the driver of MySQL says.
            "MySQL,5.5.5-10.11.14-MariaDB-0+deb12u2,mariadb",
            "MySQL,11.4.5-MariaDB,mariadb",
            "H2,2.2.220,h2",
            "H2,2.4.240 (2025-09-22),h2"
        })
        void isDetectedByWhatTheDatabaseSaysOfItself(String name, String version, String platform) {
            assertThat(JdbcDialects.detect(databaseOf(name, version)).platform())
                    .isEqualTo(platform);
        }

        @ParameterizedTest
        @CsvSource({
            "PostgreSQL,11.22,12.0",
            "MySQL,5.7.44,8.0",
            "MariaDB,10.5.29-MariaDB,10.6",
            "MySQL,5.5.5-10.5.29-MariaDB,10.6",
            "H2,1.4.200,2.2",
            "H2,2.1.214,2.2"
        })
        void ofADatabaseThatIsTooOldIsRefused(String name, String version, String oldest) {
            assertThatExceptionOfType(JdbcStoreSetupException.class)
                    .isThrownBy(() -> JdbcDialects.detect(databaseOf(name, version)))
                    .withMessageContaining("too old")
                    .withMessageContaining("needs " + oldest)
                    .satisfies(failure -> assertThat(failure.remedy()).contains("JdbcDialect"));
        }

        @Test
        void ofADatabaseThatNobodyKnowsIsStandardSqlAndSaidSo() {
            try (CapturedLog log = new CapturedLog(JdbcDialects.class.getName(), "WARN")) {
                assertThat(JdbcDialects.detect(databaseOf("Informix", "14.10")).platform())
                        .isEqualTo("generic");

                assertThat(log.lines())
                        .singleElement()
                        .satisfies(line -> assertThat(line)
                                .contains("Informix", "never tested", "idempotency.jdbc.platform", "JdbcDialect"));
            }
        }

        @Test
        void thatIsNamedIsTakenWithoutAWord() {
            try (CapturedLog log = new CapturedLog(JdbcDialects.class.getName(), "WARN")) {
                assertThat(JdbcDialects.of("Generic").platform()).isEqualTo("generic");

                assertThat(log.lines()).isEmpty();
            }
        }

        @Test
        void thatDoesNotExistIsAFailureThatNamesThoseThatDo() {
            assertThatExceptionOfType(JdbcStoreSetupException.class)
                    .isThrownBy(() -> JdbcDialects.of("informix"))
                    .withMessageContaining("informix")
                    .satisfies(failure -> assertThat(failure.remedy())
                            .contains("postgresql, mysql, mariadb, h2, generic")
                            .contains("idempotency.jdbc.platform")
                            .contains("JdbcDialect"));
        }

        @Test
        void ofMariaDbIsDetectedBehindTheDriverOfMySqlToo() {
            MariaDbServer server = TestServers.mariaDb();
            String url = "jdbc:mysql://%s:%d/".formatted(server.host(), server.port());

            assertThat(JdbcDialects.detect(new DriverManagerDataSource(url, server.username(), server.password()))
                            .platform())
                    .isEqualTo("mariadb");
        }

        private DataSource databaseOf(String name, String version) {
            String[] numbers = version.split("[^0-9]", 3);
            DatabaseMetaData metaData = answering(
                    DatabaseMetaData.class,
                    Map.of(
                            "getDatabaseProductName",
                            name,
                            "getDatabaseProductVersion",
                            version,
                            "getDatabaseMajorVersion",
                            Integer.parseInt(numbers[0]),
                            "getDatabaseMinorVersion",
                            Integer.parseInt(numbers[1])));
            Connection connection = answering(Connection.class, Map.of("getMetaData", metaData));
            return answering(DataSource.class, Map.of("getConnection", connection));
        }

        private static <T> T answering(Class<T> type, Map<String, Object> answers) {
            return type.cast(Proxy.newProxyInstance(
                    type.getClassLoader(),
                    new Class<?>[] {type},
                    (proxy, method, arguments) -> answers.get(method.getName())));
        }
    }

    @Nested
    class TheSettings {

        @ParameterizedTest
        @ValueSource(strings = {"", " ", "x;", "1x", "a.b.c", "\"x\"", "x-y", "x$"})
        void refuseAPrefixThatIsMoreThanAName(String prefix) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> new JdbcStoreSettings(prefix, 4, Duration.ofSeconds(2)))
                    .withMessageContaining("idempotency.jdbc.table-prefix");
        }

        @Test
        void refuseANegativePool() {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> new JdbcStoreSettings("x_", -1, Duration.ofSeconds(2)))
                    .withMessageContaining("idempotency.jdbc.pool-size");
        }

        @Test
        void refuseNoTime() {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> new JdbcStoreSettings("x_", 4, Duration.ZERO))
                    .withMessageContaining("idempotency.store-timeout");
        }
    }

    /** They have one language and two names, as the databases have. */
    @Test
    void theScriptsForMySqlAndMariaDbAreTheSame() throws IOException {
        assertThat(TestDatabase.script("mysql").getContentAsString(StandardCharsets.UTF_8))
                .isEqualTo(TestDatabase.script("mariadb").getContentAsString(StandardCharsets.UTF_8));
    }
}
