package io.idempotency.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.idempotency.testsupport.CapturedLog;
import io.idempotency.testsupport.MariaDbServer;
import io.idempotency.testsupport.TestServers;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.util.Map;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** Which dialect is spoken to a database. */
class JdbcDialectsTests {

    @ParameterizedTest
    @CsvSource({
        "PostgreSQL,12.0,postgresql",
        "PostgreSQL,18.1 (Debian 18.1-1),postgresql",
        "MySQL,8.0.44,mysql",
        "MySQL,9.5.0-log,mysql",
        "MariaDB,10.6.23-MariaDB,mariadb",
        "MariaDB,11.4.5-MariaDB-log,mariadb",
        "MariaDB,10.6.14-9-MariaDB-enterprise,mariadb",
        // What the driver of MySQL says.
        "MySQL,5.5.5-10.11.14-MariaDB-0+deb12u2,mariadb",
        "MySQL,5.5.5-10.6.14-9-MariaDB-enterprise-log,mariadb",
        "MySQL,11.4.5-MariaDB,mariadb",
        "H2,2.2.220,h2",
        "H2,2.4.240 (2025-09-22),h2"
    })
    void theDialectIsDetectedByWhatTheDatabaseSaysOfItself(String name, String version, String platform) {
        assertThat(JdbcDialects.detect(databaseOf(name, version)).platform()).isEqualTo(platform);
    }

    @ParameterizedTest
    @CsvSource({
        "PostgreSQL,11.22,12.0",
        "MySQL,5.7.44,8.0",
        "MariaDB,10.5.29-MariaDB,10.6",
        "MySQL,5.5.5-10.5.29-MariaDB,10.6",
        "MySQL,5.5.5-10.5.23-17-MariaDB-enterprise,10.6",
        "H2,1.4.200,2.2",
        "H2,2.1.214,2.2"
    })
    void theDialectOfADatabaseThatIsTooOldIsRefused(String name, String version, String oldest) {
        assertThatExceptionOfType(JdbcStoreSetupException.class)
                .isThrownBy(() -> JdbcDialects.detect(databaseOf(name, version)))
                .withMessageContaining("too old")
                .withMessageContaining("needs " + oldest)
                .satisfies(failure -> assertThat(failure.remedy()).contains("JdbcDialect"));
    }

    @Test
    void theDialectOfADatabaseThatNobodyKnowsIsStandardSqlAndSaidSo() {
        try (CapturedLog log = new CapturedLog(JdbcDialects.class.getName(), "WARN")) {
            assertThat(JdbcDialects.detect(databaseOf("Informix", "14.10")).platform())
                    .isEqualTo("generic");

            assertThat(log.lines())
                    .singleElement()
                    .satisfies(line -> assertThat(line)
                            .contains(
                                    "Informix",
                                    "tested with H2 and HSQLDB only",
                                    "idempotency.jdbc.platform",
                                    "JdbcDialect"));
        }
    }

    @Test
    void aDialectThatIsNamedIsTakenWithoutAWord() {
        try (CapturedLog log = new CapturedLog(JdbcDialects.class.getName(), "WARN")) {
            assertThat(JdbcDialects.of("Generic").platform()).isEqualTo("generic");

            assertThat(log.lines()).isEmpty();
        }
    }

    @Test
    void aDialectThatDoesNotExistIsAFailureThatNamesThoseThatDo() {
        assertThatExceptionOfType(JdbcStoreSetupException.class)
                .isThrownBy(() -> JdbcDialects.of("informix"))
                .withMessageContaining("informix")
                .satisfies(failure -> assertThat(failure.remedy())
                        .contains("postgresql, mysql, mariadb, h2, generic")
                        .contains("idempotency.jdbc.platform")
                        .contains("JdbcDialect"));
    }

    @Test
    void theDialectOfMariaDbIsDetectedBehindTheDriverOfMySqlToo() {
        MariaDbServer server = TestServers.mariaDb();
        String url = "jdbc:mysql://%s:%d/".formatted(server.host(), server.port());

        assertThat(JdbcDialects.detect(new DriverManagerDataSource(url, server.username(), server.password()))
                        .platform())
                .isEqualTo("mariadb");
    }

    /** They have one language and two names, as the databases have. */
    @Test
    void theScriptsForMySqlAndMariaDbAreTheSame() throws IOException {
        assertThat(TestDatabase.script("mysql").getContentAsString(StandardCharsets.UTF_8))
                .isEqualTo(TestDatabase.script("mariadb").getContentAsString(StandardCharsets.UTF_8));
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
