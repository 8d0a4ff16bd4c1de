package io.idempotency.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.core.ClaimOutcome;
import io.idempotency.store.jdbc.JdbcDialect;
import io.idempotency.store.jdbc.JdbcDialects;
import java.lang.reflect.Proxy;
import org.junit.jupiter.api.Test;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

class JdbcStartTests extends WithAnH2Database {

    @Test
    void aMissingTableStopsTheStartAndNamesTableScriptAndProperty() {
        runner.withPropertyValues("idempotency.jdbc.initialize-schema=never")
                .withUserConfiguration(NeedsTheStore.class)
                .run(context -> {
                    FailureAnalysis analysis = analysis(context.getStartupFailure());
                    assertThat(analysis.getDescription())
                            .contains("table idempotency_record")
                            .contains("missing");
                    assertThat(analysis.getAction())
                            .contains("classpath:io/idempotency/store/jdbc/schema-h2.sql")
                            .contains("idempotency.jdbc.initialize-schema=always")
                            .contains("idempotency.jdbc.table-prefix");
                });
    }

    @Test
    void aPlatformThatNobodyKnowsStopsTheStartAndNamesThoseThatAreKnown() {
        runner.withPropertyValues("idempotency.jdbc.platform=informix")
                .withUserConfiguration(NeedsTheStore.class)
                .run(context -> {
                    FailureAnalysis analysis = analysis(context.getStartupFailure());
                    assertThat(analysis.getDescription()).contains("informix");
                    assertThat(analysis.getAction())
                            .contains("postgresql, mysql, mariadb, h2, generic")
                            .contains("idempotency.jdbc.platform")
                            .contains("JdbcDialect");
                });
    }

    @Test
    void aDatabaseThatCannotBeReachedStopsTheStart() {
        runner.withPropertyValues(
                        "spring.datasource.url=jdbc:h2:tcp://localhost:1/nothing",
                        "spring.datasource.hikari.connection-timeout=250")
                .withUserConfiguration(NeedsTheStore.class)
                .run(context -> assertThat(analysis(context.getStartupFailure()).getDescription())
                        .contains("cannot be reached"));
    }

    @Test
    void aDialectOfTheUsersOwnNeedsNoScriptUnlessItIsToRun() {
        ApplicationContextRunner own =
                runner.withBean(JdbcDialect.class, () -> renamed("mine")).withUserConfiguration(NeedsTheStore.class);

        own.run(context ->
                assertThat(analysis(context.getStartupFailure()).getAction()).contains("schema-mine.sql"));
        own.withPropertyValues("idempotency.jdbc.initialize-schema=always")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining("No schema scripts found at location")
                        .hasMessageContaining("schema-mine.sql"));
    }

    @Test
    void theScriptOfThePlatformThatIsSetIsTaken() {
        runner.withPropertyValues("idempotency.jdbc.platform=H2")
                .run(context -> assertThat(claim(context)).isInstanceOf(ClaimOutcome.Granted.class));
    }

    @Test
    void theTablePrefixIsThatOfTheScriptToo() {
        runner.withPropertyValues("idempotency.jdbc.table-prefix=shop_once_").run(context -> {
            assertThat(claim(context)).isInstanceOf(ClaimOutcome.Granted.class);
            assertThat(database().queryForObject("SELECT COUNT(*) FROM shop_once_record", Integer.class))
                    .isOne();
            assertThat(database()
                            .queryForList(
                                    "SELECT index_name FROM information_schema.indexes WHERE index_name LIKE '%EXPIRES%'",
                                    String.class))
                    .containsExactly("SHOP_ONCE_RECORD_EXPIRES_AT");
        });
    }

    @Test
    void aTablePrefixThatIsMoreThanANameStopsTheStart() {
        runner.withPropertyValues("idempotency.jdbc.table-prefix=x; DROP TABLE y; --")
                .withUserConfiguration(NeedsTheStore.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining("idempotency.jdbc.table-prefix"));
    }

    private static JdbcDialect renamed(String platform) {
        JdbcDialect dialect = JdbcDialects.of("h2");
        return (JdbcDialect) Proxy.newProxyInstance(
                JdbcDialect.class.getClassLoader(),
                new Class<?>[] {JdbcDialect.class},
                (proxy, method, arguments) ->
                        method.getName().equals("platform") ? platform : method.invoke(dialect, arguments));
    }
}
