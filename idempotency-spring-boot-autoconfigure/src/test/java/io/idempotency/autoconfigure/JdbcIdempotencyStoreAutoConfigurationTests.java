package io.idempotency.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import io.idempotency.core.ClaimOutcome;
import io.idempotency.core.ClaimRequest;
import io.idempotency.core.Fingerprint;
import io.idempotency.core.IdempotencyStore;
import io.idempotency.core.IdempotencyStoreException;
import io.idempotency.core.Identity;
import io.idempotency.core.OperationPolicy;
import io.idempotency.core.OwnerToken;
import io.idempotency.store.jdbc.JdbcDialect;
import io.idempotency.store.jdbc.JdbcDialects;
import io.idempotency.store.jdbc.JdbcIdempotencyStore;
import io.idempotency.testsupport.CapturedLog;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.init.DataSourceScriptDatabaseInitializer;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

class JdbcIdempotencyStoreAutoConfigurationTests {

    private final String url = "jdbc:h2:mem:%s;DB_CLOSE_DELAY=-1".formatted(UUID.randomUUID());

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    DataSourceAutoConfiguration.class,
                    IdempotencyAutoConfiguration.class,
                    JdbcIdempotencyStoreAutoConfiguration.class))
            .withPropertyValues("spring.datasource.url=" + url);

    @Test
    void aSingleDataSourceIsEnough() {
        runner.run(context -> {
            assertThat(context).hasSingleBean(IdempotencyStore.class).hasSingleBean(JdbcIdempotencyStore.class);
            assertThat(claim(context)).isInstanceOf(ClaimOutcome.Granted.class);
        });
    }

    @Test
    void theStoreIsNotOpenedBeforeItIsNeeded() {
        runner.run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void aStoreOfTheUsersOwnReplacesIt() {
        runner.withBean(IdempotencyStore.class, () -> notCalled(IdempotencyStore.class))
                .run(context -> assertThat(context).doesNotHaveBean(JdbcIdempotencyStore.class));
    }

    @Test
    void anotherChoiceSwitchesItOff() {
        runner.withPropertyValues("idempotency.store=memory")
                .run(context -> assertThat(context).doesNotHaveBean(JdbcIdempotencyStore.class));
    }

    @Test
    void itIsOffWhenEverythingIsOff() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        DataSourceAutoConfiguration.class, JdbcIdempotencyStoreAutoConfiguration.class))
                .withPropertyValues("spring.datasource.url=" + url, "idempotency.enabled=false")
                .run(context -> assertThat(context).doesNotHaveBean(JdbcIdempotencyStore.class));
    }

    @Test
    void itIsOffWithoutTheJdbcModuleOfSpringBoot() {
        runner.withClassLoader(new FilteredClassLoader(DataSourceScriptDatabaseInitializer.class))
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(JdbcIdempotencyStore.class));
    }

    @Test
    void ofSeveralDataSourcesThePrimaryOneIsTaken() {
        runner.withUserConfiguration(TwoDataSources.class)
                .run(context -> assertThat(claim(context)).isInstanceOf(ClaimOutcome.Granted.class));
    }

    @Test
    void amongSeveralDataSourcesNothingIsGuessed() {
        runner.withBean("one", DataSource.class, () -> notCalled(DataSource.class))
                .withBean("other", DataSource.class, () -> notCalled(DataSource.class))
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(JdbcIdempotencyStore.class));
    }

    @Test
    void amongSeveralDataSourcesTheMarkedOneIsTaken() {
        runner.withUserConfiguration(MarkedDataSource.class).run(context -> {
            assertThat(claim(context)).isInstanceOf(ClaimOutcome.Granted.class);
            assertThat(records(context.getBean("marked", DataSource.class))).isOne();
        });
    }

    @Test
    void aMarkedDataSourceIsTakenRatherThanThePrimaryOne() {
        runner.withUserConfiguration(MarkedDataSource.class)
                .withBean("primary", DataSource.class, () -> notCalled(DataSource.class), definition -> {
                    definition.setPrimary(true);
                })
                .run(context -> assertThat(claim(context)).isInstanceOf(ClaimOutcome.Granted.class));
    }

    @Test
    void aMarkedDataSourceMayBeNoDefaultCandidate() {
        runner.withUserConfiguration(MarkedDataSourceBesideTheApplications.class)
                .run(context -> {
                    assertThat(claim(context)).isInstanceOf(ClaimOutcome.Granted.class);
                    assertThat(records(context.getBean("marked", DataSource.class)))
                            .isOne();
                });
    }

    @Test
    void aMarkedDataSourceChoosesTheStoreWhereRedisCouldBeMeantAsWell() {
        runner.withConfiguration(AutoConfigurations.of(
                        DataRedisAutoConfiguration.class, RedisIdempotencyStoreAutoConfiguration.class))
                .withUserConfiguration(MarkedDataSource.class)
                .run(context ->
                        assertThat(context).getBean(IdempotencyStore.class).isInstanceOf(JdbcIdempotencyStore.class));
    }

    @Test
    void twoMarkedDataSourcesAreOneTooMany() {
        runner.withUserConfiguration(MarkedDataSource.class, AnotherMarkedDataSource.class, NeedsTheStore.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .isInstanceOf(NoUniqueBeanDefinitionException.class));
    }

    @Test
    void severalDataSourcesWithoutAMarkStopTheStartAndTheMarkIsNamed() {
        runner.withBean("one", DataSource.class, () -> notCalled(DataSource.class))
                .withBean("other", DataSource.class, () -> notCalled(DataSource.class))
                .withUserConfiguration(NeedsTheStore.class)
                .run(context -> {
                    FailureAnalysis analysis = Objects.requireNonNull(new NoIdempotencyStoreFailureAnalyzer()
                            .analyze(Objects.requireNonNull(context.getStartupFailure())));
                    assertThat(analysis.getDescription()).contains("DataSource beans: 2");
                    assertThat(analysis.getAction()).contains("@IdempotencyDataSource");
                });
    }

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

    @Test
    void theStoreDoesNotWaitForTheConnectionsOfTheApplication() {
        runner.withPropertyValues("spring.datasource.hikari.maximum-pool-size=1")
                .run(context -> {
                    claim(context);
                    try (Connection held = context.getBean(DataSource.class).getConnection()) {
                        assertThat(claim(context)).isInstanceOf(ClaimOutcome.Granted.class);
                        assertThat(held.isClosed()).isFalse();
                    }
                });
    }

    @Test
    void withPoolSizeZeroTheStoreSharesTheConnectionsOfTheApplication() {
        runner.withPropertyValues(
                        "idempotency.jdbc.pool-size=0",
                        "spring.datasource.hikari.maximum-pool-size=1",
                        "spring.datasource.hikari.connection-timeout=250")
                .run(context -> {
                    assertThat(claim(context)).isInstanceOf(ClaimOutcome.Granted.class);
                    assertThat(sessions()).isEqualTo(1);
                    try (Connection held = context.getBean(DataSource.class).getConnection()) {
                        assertThatExceptionOfType(IdempotencyStoreException.class)
                                .isThrownBy(() -> claim(context));
                        assertThat(held.isClosed()).isFalse();
                    }
                });
    }

    @Test
    void thePoolOfTheStoreEndsWithTheContext() {
        runner.run(context -> {
            claim(context);
            int applications = context.getBean(HikariDataSource.class)
                    .getHikariPoolMXBean()
                    .getTotalConnections();
            assertThat(sessions()).isGreaterThan(applications);
        });

        assertThat(sessions()).isZero();
    }

    @Test
    void expiredRecordsAreDeletedInTheBackground() {
        runner.withPropertyValues("idempotency.jdbc.cleanup.interval=20ms").run(context -> {
            claim(context);
            expireRecords();

            await().untilAsserted(() -> assertThat(records()).isZero());
        });
    }

    @Test
    void theyStayWhereTheCleanupIsSwitchedOff() {
        runner.withPropertyValues("idempotency.jdbc.cleanup.enabled=false", "idempotency.jdbc.cleanup.interval=1ms")
                .run(context -> {
                    claim(context);
                    expireRecords();

                    assertThat(context.getBean(JdbcCleanup.class).isRunning()).isFalse();
                    assertThat(sweepers()).isEmpty();
                    assertThat(records()).isOne();
                });
    }

    @Test
    void nothingIsSweptBeforeTheStoreIsOpened() {
        runner.run(context -> {
            assertThat(context.getBeanFactory().containsSingleton("jdbcIdempotencyStore"))
                    .isFalse();
            assertThat(sweepers()).isEmpty();

            claim(context);

            assertThat(context.getBean(JdbcCleanup.class).isRunning()).isTrue();
            await().until(() -> !sweepers().isEmpty());
        });
    }

    @Test
    void theSweeperEndsWithTheContextAndBeforeTheStore() {
        try (CapturedLog log = new CapturedLog("io.idempotency", "WARN")) {
            runner.withPropertyValues("idempotency.jdbc.cleanup.interval=1ms").run(context -> {
                claim(context);
                await().until(() -> !sweepers().isEmpty());
            });

            assertThat(sweepers()).isEmpty();
            assertThat(log.lines()).isEmpty();
        }
    }

    @Test
    void theSweeperGoesOnInAContextThatIsStartedAnew() {
        runner.withPropertyValues("idempotency.jdbc.cleanup.interval=20ms").run(context -> {
            claim(context);
            context.stop();
            assertThat(context.getBean(JdbcCleanup.class).isRunning()).isFalse();

            context.start();
            expireRecords();

            await().untilAsserted(() -> assertThat(records()).isZero());
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"interval=0s", "interval=-1s", "batch-size=0"})
    void aCleanupOfNothingStopsTheStart(String setting) {
        runner.withPropertyValues("idempotency.jdbc.cleanup." + setting)
                .withUserConfiguration(NeedsTheStore.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining(
                                "idempotency.jdbc.cleanup." + setting.substring(0, setting.indexOf('='))));
    }

    private static List<String> sweepers() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith("idempotency-sweeper"))
                .toList();
    }

    private void expireRecords() {
        database()
                .update(
                        "UPDATE idempotency_record SET expires_at = TIMESTAMP '2001-02-03 04:05:06', lease_until = NULL");
    }

    private int records() {
        return Objects.requireNonNull(
                database().queryForObject("SELECT COUNT(*) FROM idempotency_record", Integer.class));
    }

    /** A view of the database from outside of every pool. */
    private JdbcTemplate database() {
        return new JdbcTemplate(new DriverManagerDataSource(url, "sa", ""));
    }

    private static int records(DataSource dataSource) {
        return Objects.requireNonNull(
                new JdbcTemplate(dataSource).queryForObject("SELECT COUNT(*) FROM idempotency_record", Integer.class));
    }

    private int sessions() {
        return Objects.requireNonNull(
                        database().queryForObject("SELECT COUNT(*) FROM information_schema.sessions", Integer.class))
                - 1;
    }

    private static ClaimOutcome claim(ApplicationContext context) {
        Identity identity =
                Identity.of("test", "operation", null, UUID.randomUUID().toString());
        return context.getBean(IdempotencyStore.class)
                .claim(ClaimRequest.of(identity, Fingerprint.none(), OwnerToken.random(), OperationPolicy.DEFAULT));
    }

    private static FailureAnalysis analysis(@Nullable Throwable failure) {
        return Objects.requireNonNull(new JdbcStoreSetupFailureAnalyzer().analyze(Objects.requireNonNull(failure)));
    }

    private static <T> T notCalled(Class<T> type) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> switch (method.getName()) {
                    case "hashCode" -> System.identityHashCode(proxy);
                    case "equals" -> proxy == arguments[0];
                    case "toString" -> type.getSimpleName();
                    default -> throw new AssertionError(method);
                }));
    }

    private static JdbcDialect renamed(String platform) {
        JdbcDialect dialect = JdbcDialects.of("h2");
        return (JdbcDialect) Proxy.newProxyInstance(
                JdbcDialect.class.getClassLoader(),
                new Class<?>[] {JdbcDialect.class},
                (proxy, method, arguments) ->
                        method.getName().equals("platform") ? platform : method.invoke(dialect, arguments));
    }

    @Configuration(proxyBeanMethods = false)
    static class NeedsTheStore {

        @Bean
        String needsTheStore(IdempotencyStore store) {
            return store.toString();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class TwoDataSources {

        @Bean
        @Primary
        DataSource primary() {
            return anotherDatabase();
        }

        @Bean
        DataSource other() {
            return notCalled(DataSource.class);
        }
    }

    private static DataSource anotherDatabase() {
        return new DriverManagerDataSource("jdbc:h2:mem:%s;DB_CLOSE_DELAY=-1".formatted(UUID.randomUUID()));
    }

    @Configuration(proxyBeanMethods = false)
    static class MarkedDataSource {

        @Bean
        @IdempotencyDataSource
        DataSource marked() {
            return anotherDatabase();
        }

        @Bean
        DataSource other() {
            return notCalled(DataSource.class);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class AnotherMarkedDataSource {

        @Bean
        @IdempotencyDataSource
        DataSource anotherMarked() {
            return notCalled(DataSource.class);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class MarkedDataSourceBesideTheApplications {

        @Bean(defaultCandidate = false)
        @IdempotencyDataSource
        DataSource marked() {
            return anotherDatabase();
        }
    }
}
