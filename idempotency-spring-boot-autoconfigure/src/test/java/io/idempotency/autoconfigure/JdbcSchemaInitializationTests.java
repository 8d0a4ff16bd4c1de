package io.idempotency.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.core.ClaimRequest;
import io.idempotency.core.Fingerprint;
import io.idempotency.core.IdempotencyStore;
import io.idempotency.core.Identity;
import io.idempotency.core.OperationPolicy;
import io.idempotency.core.OwnerToken;
import io.idempotency.store.jdbc.JdbcStoreSetupException;
import io.idempotency.testsupport.CapturedLog;
import io.idempotency.testsupport.MariaDbServer;
import io.idempotency.testsupport.TestServers;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** The table is made by Flyway, by the store's own script, or by both, and none stands in the other's way. */
class JdbcSchemaInitializationTests {

    private static final String SHOP = "CREATE TABLE shop_order (id BIGINT PRIMARY KEY);";

    @TempDir
    private Path directory;

    @Nested
    class AnEmbeddedDatabase {

        private final String url = "jdbc:h2:mem:%s;DB_CLOSE_DELAY=-1".formatted(UUID.randomUUID());

        @Test
        void needsNoMigration() {
            withoutFlyway(url).run(JdbcSchemaInitializationTests::assertClaims);
        }

        @Test
        void getsItsTableAfterTheMigrationsThatDoNotMakeIt() throws IOException {
            migration("V1__shop.sql", SHOP);

            withFlyway(url).run(context -> {
                assertClaims(context);
                assertThat(migrations(context)).isEqualTo(1);
            });
        }

        @Test
        void getsItsTableFromTheMigrationThatMakesIt() throws IOException {
            migration("V1__shop.sql", SHOP);
            migration("V2__idempotency.sql", shippedScript());

            withFlyway(url).run(context -> {
                assertClaims(context);
                assertThat(migrations(context)).isEqualTo(2);
            });
        }

        @Test
        void isNotTouchedWhenThatIsForbidden() {
            withoutFlyway(url)
                    .withPropertyValues("idempotency.jdbc.initialize-schema=never")
                    .run(JdbcSchemaInitializationTests::assertTableIsMissing);
        }
    }

    @Nested
    class ADatabaseOnDisk {

        private String url() {
            return "jdbc:h2:file:" + directory.resolve("database").toAbsolutePath();
        }

        @Test
        void isNotTouchedUnasked() {
            withoutFlyway(url()).run(JdbcSchemaInitializationTests::assertTableIsMissing);
        }

        @Test
        void getsItsTableFromTheMigrationThatMakesIt() throws IOException {
            migration("V1__shop.sql", SHOP);
            migration("V2__idempotency.sql", shippedScript());

            withFlyway(url()).run(JdbcSchemaInitializationTests::assertClaims);
            withFlyway(url()).run(JdbcSchemaInitializationTests::assertClaims);
        }

        @Test
        void getsItsTableFromTheScriptWhenAskedAndLaterFromAMigration() throws IOException {
            migration("V1__shop.sql", SHOP);
            withFlyway(url())
                    .withPropertyValues("idempotency.jdbc.initialize-schema=always")
                    .run(JdbcSchemaInitializationTests::assertClaims);

            migration("V2__idempotency.sql", shippedScript());

            withFlyway(url()).run(context -> {
                assertClaims(context);
                assertThat(migrations(context)).isEqualTo(2);
            });
        }

        @Test
        void isGoodEnoughWhereTheTableIsThereAndTheScriptFails() throws IOException {
            migration("V1__idempotency.sql", shippedScript());
            Path broken = Files.writeString(directory.resolve("broken.sql"), "CREATE TABLE no_column;");

            withFlyway(url())
                    .withPropertyValues(
                            "idempotency.jdbc.initialize-schema=always",
                            "idempotency.jdbc.schema=file:" + broken.toAbsolutePath())
                    .run(JdbcSchemaInitializationTests::assertClaims);
        }
    }

    /** Standard SQL has no {@code IF NOT EXISTS}. */
    @Nested
    class AnyOtherDatabase {

        private final String url = "jdbc:h2:mem:%s;DB_CLOSE_DELAY=-1".formatted(UUID.randomUUID());

        private final ApplicationContextRunner application =
                withoutFlyway(url).withPropertyValues("idempotency.jdbc.platform=generic");

        @Test
        void startsAgainWithTheTablesThatItHasAndIsNotAlarmed() {
            application.run(JdbcSchemaInitializationTests::assertClaims);

            assertThat(warningsOfASecondStart()).isEmpty();
        }

        @Test
        void getsTheTableThatItLacks() {
            application.run(JdbcSchemaInitializationTests::assertClaims);
            new JdbcTemplate(new DriverManagerDataSource(url, "sa", "")).execute("DROP TABLE idempotency_step");

            assertThat(warningsOfASecondStart()).isEmpty();
        }

        @Test
        void isToldWhatTheScriptFailedAt() {
            new JdbcTemplate(new DriverManagerDataSource(url, "sa", ""))
                    .execute("CREATE VIEW idempotency_step AS SELECT 1 AS one");

            try (CapturedLog log = new CapturedLog(JdbcSchemaInitializer.class.getName(), "WARN")) {
                application.run(context -> assertThat(context).hasFailed());

                assertThat(log.lines()).singleElement().asString().contains("idempotency_step");
            }
        }

        private List<String> warningsOfASecondStart() {
            try (CapturedLog log = new CapturedLog(JdbcSchemaInitializer.class.getName(), "WARN")) {
                application.run(JdbcSchemaInitializationTests::assertClaims);
                return List.copyOf(log.lines());
            }
        }
    }

    /** The script of MySQL is run on MariaDB, since there is not always a MySQL. */
    @ParameterizedTest
    @ValueSource(strings = {"postgresql", "mariadb", "mysql"})
    void tablesAreNamedByTheirPrefixAndMayBeInAnotherSchema(String platform) {
        String schema = "prefix_" + UUID.randomUUID().toString().replace('-', '_');
        DataSource server = server(platform);
        JdbcTemplate database = new JdbcTemplate(server);
        database.execute("CREATE SCHEMA " + schema);

        for (String tablePrefix : List.of(schema + ".shop_once_", schema + ".idempotency_")) {
            new ApplicationContextRunner()
                    .withConfiguration(AutoConfigurations.of(
                            IdempotencyAutoConfiguration.class, JdbcIdempotencyStoreAutoConfiguration.class))
                    .withBean(DataSource.class, () -> server)
                    .withUserConfiguration(ClaimsAtStart.class)
                    .withPropertyValues(
                            "idempotency.jdbc.initialize-schema=always",
                            "idempotency.jdbc.platform=" + platform,
                            "idempotency.jdbc.table-prefix=" + tablePrefix)
                    .run(JdbcSchemaInitializationTests::assertClaims);
            assertThat(database.queryForObject("SELECT COUNT(*) FROM " + tablePrefix + "record", Integer.class))
                    .isOne();
        }

        database.execute("DROP SCHEMA " + schema + (platform.equals("postgresql") ? " CASCADE" : ""));
    }

    private static DataSource server(String platform) {
        if (platform.equals("postgresql")) {
            TestServers.Postgres server = TestServers.postgres();
            return new DriverManagerDataSource(server.url(), server.username(), server.password());
        }
        MariaDbServer server = TestServers.mariaDb();
        return new DriverManagerDataSource(server.url("mysql"), server.username(), server.password());
    }

    private ApplicationContextRunner withoutFlyway(String url) {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        DataSourceAutoConfiguration.class,
                        JdbcTemplateAutoConfiguration.class,
                        IdempotencyAutoConfiguration.class,
                        JdbcIdempotencyStoreAutoConfiguration.class))
                .withUserConfiguration(ClaimsAtStart.class)
                .withPropertyValues("spring.datasource.url=" + url);
    }

    private ApplicationContextRunner withFlyway(String url) {
        return withoutFlyway(url)
                .withConfiguration(AutoConfigurations.of(FlywayAutoConfiguration.class))
                .withPropertyValues("spring.flyway.locations=filesystem:" + directory.toAbsolutePath());
    }

    private void migration(String name, String sql) throws IOException {
        Files.writeString(directory.resolve(name), sql);
    }

    private static String shippedScript() throws IOException {
        return new ClassPathResource("io/idempotency/store/jdbc/schema-h2.sql")
                .getContentAsString(StandardCharsets.UTF_8);
    }

    private static int migrations(AssertableApplicationContext context) {
        return new JdbcTemplate(context.getBean(DataSource.class))
                .queryForList("SELECT \"version\" FROM \"flyway_schema_history\" WHERE \"version\" IS NOT NULL")
                .size();
    }

    private static void assertClaims(AssertableApplicationContext context) {
        assertThat(context).hasNotFailed().hasBean("claimedAtStart");
    }

    private static void assertTableIsMissing(AssertableApplicationContext context) {
        assertThat(context).getFailure().rootCause().isInstanceOf(java.sql.SQLException.class);
        assertThat(context).getFailure().hasStackTraceContaining(JdbcStoreSetupException.class.getName());
    }

    /** Claims while the context starts: too early for a store that did not wait for the migrations. */
    @Configuration(proxyBeanMethods = false)
    static class ClaimsAtStart {

        @Bean
        Object claimedAtStart(IdempotencyStore store) {
            Identity identity =
                    Identity.of("test", "operation", null, UUID.randomUUID().toString());
            return store.claim(
                    ClaimRequest.of(identity, Fingerprint.none(), OwnerToken.random(), OperationPolicy.DEFAULT));
        }
    }
}
