package io.idempotency.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.zaxxer.hikari.HikariDataSource;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.time.Duration;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/** What is found out before the first claim. */
class JdbcSetupTests {

    @Nested
    @ParameterizedClass
    @EnumSource(TestDatabase.Product.class)
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
            database.jdbc().execute("DROP TABLE idempotency_record");

            assertThatExceptionOfType(JdbcStoreSetupException.class)
                    .isThrownBy(database::openStore)
                    .withMessageContaining("idempotency_record")
                    .satisfies(failure -> assertThat(failure.remedy())
                            .contains("io/idempotency/store/jdbc/schema-")
                            .contains("idempotency.jdbc.initialize-schema"));
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
            String schema = "audit_" + System.nanoTime();
            database.jdbc().execute("CREATE SCHEMA " + schema);
            database.jdbc().execute("CREATE TABLE " + schema + ".idem_record AS SELECT * FROM idempotency_record");
            database.jdbc().execute("ALTER TABLE " + schema + ".idem_record ALTER COLUMN id SET NOT NULL");
            database.jdbc().execute("ALTER TABLE " + schema + ".idem_record ADD PRIMARY KEY (id)");

            try (JdbcIdempotencyStore store = TestDatabase.openStore(
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
                    TestDatabase.openStore(new DelegatingDataSource(database.application()), TestDatabase.SETTINGS)) {
                assertThat(sessions()).isEqualTo(applications() + 1);
                Claims.granted(store, Claims.newIdentity());
            }
            assertThat(sessions()).isEqualTo(applications());
        }

        @Test
        void ofAnotherKindIsShared() {
            try (HikariDataSource subclass = new HikariDataSource(database.configuration()) {};
                    JdbcIdempotencyStore store = TestDatabase.openStore(subclass, TestDatabase.SETTINGS)) {
                assertThat(sessions())
                        .isEqualTo(
                                applications() + subclass.getHikariPoolMXBean().getTotalConnections());
                Claims.granted(store, Claims.newIdentity());
            }
        }

        @Test
        void isClosedWhenTheTableIsMissing() {
            database.jdbc().execute("DROP TABLE idempotency_record");

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
        @CsvSource({"PostgreSQL,postgresql", "H2,h2"})
        void isDetectedByTheNameOfTheDatabase(String product, String platform) {
            assertThat(JdbcDialects.detect(databaseOf(product)).platform()).isEqualTo(platform);
        }

        @Test
        void ofAnotherDatabaseIsNotGuessed() {
            assertThatExceptionOfType(JdbcStoreSetupException.class)
                    .isThrownBy(() -> JdbcDialects.detect(databaseOf("Informix")))
                    .withMessageContaining("Informix")
                    .satisfies(failure -> assertThat(failure.remedy())
                            .contains("postgresql, h2")
                            .contains("idempotency.jdbc.platform"));
        }

        private DataSource databaseOf(String product) {
            DatabaseMetaData metaData = answering(DatabaseMetaData.class, "getDatabaseProductName", product);
            Connection connection = answering(Connection.class, "getMetaData", metaData);
            return answering(DataSource.class, "getConnection", connection);
        }

        private static <T> T answering(Class<T> type, String name, Object answer) {
            return type.cast(Proxy.newProxyInstance(
                    type.getClassLoader(),
                    new Class<?>[] {type},
                    (proxy, method, arguments) -> method.getName().equals(name) ? answer : null));
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
}
