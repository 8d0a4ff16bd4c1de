package io.idempotency.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.core.IdempotencyOperations;
import io.idempotency.core.IdempotencyStore;
import io.idempotency.store.jdbc.JdbcIdempotencyStore;
import io.idempotency.store.memory.InMemoryIdempotencyStore;
import io.idempotency.store.redis.RedisIdempotencyStore;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.jdbc.datasource.SimpleDriverDataSource;

/** Which store an application gets, and what it is told where none can be chosen. */
class StoreChoiceTests extends WithEveryAutoConfiguration {

    private final ApplicationContextRunner withRedis =
            application.withConfiguration(AutoConfigurations.of(DataRedisAutoConfiguration.class));

    @Test
    void aDatabaseIsTheStoreWhenItIsTheOnlyCandidate() {
        withDatabase.run(context ->
                assertThat(context.getBean(IdempotencyStore.class)).isInstanceOf(JdbcIdempotencyStore.class));
    }

    @Test
    void redisIsTheStoreWhenItIsTheOnlyCandidate() {
        withRedis.run(context ->
                assertThat(context.getBean(IdempotencyStore.class)).isInstanceOf(RedisIdempotencyStore.class));
    }

    @Test
    void thePropertyChoosesAmongSeveralCandidates() {
        ApplicationContextRunner both =
                withDatabase.withConfiguration(AutoConfigurations.of(DataRedisAutoConfiguration.class));

        both.withPropertyValues("idempotency.store=redis")
                .run(context ->
                        assertThat(context.getBean(IdempotencyStore.class)).isInstanceOf(RedisIdempotencyStore.class));
        both.withPropertyValues("idempotency.store=jdbc")
                .run(context ->
                        assertThat(context.getBean(IdempotencyStore.class)).isInstanceOf(JdbcIdempotencyStore.class));
        both.withPropertyValues("idempotency.store=memory")
                .run(context -> assertThat(context.getBean(IdempotencyStore.class))
                        .isInstanceOf(InMemoryIdempotencyStore.class));
    }

    @Test
    void severalCandidatesStopADoorThatIsInjectedAndTheAnalysisNamesTheProperty() {
        withDatabase
                .withConfiguration(AutoConfigurations.of(DataRedisAutoConfiguration.class))
                .withUserConfiguration(Door.class)
                .run(context -> {
                    assertThat(context).hasFailed();
                    FailureAnalysis analysis =
                            new NoIdempotencyStoreFailureAnalyzer().analyze(context.getStartupFailure());
                    assertThat(analysis.getDescription()).contains("ambiguous");
                    assertThat(analysis.getAction()).contains("idempotency.store=jdbc", "idempotency.store=redis");
                });
    }

    @Test
    void noCandidateStopsADoorThatIsInjectedAndMemoryIsNeverASilentFallback() {
        application.withUserConfiguration(Door.class).run(context -> {
            assertThat(context).hasFailed();
            FailureAnalysis analysis = new NoIdempotencyStoreFailureAnalyzer().analyze(context.getStartupFailure());
            assertThat(analysis.getDescription()).contains("no store");
            assertThat(analysis.getAction())
                    .contains("spring-boot-starter-jdbc", "spring-boot-starter-data-redis", "idempotency.store=memory");
        });
    }

    @Test
    void aStoreThatIsNamedButCannotBeBuiltStopsADoorThatIsInjected() {
        withDatabase
                .withUserConfiguration(Door.class)
                .withPropertyValues("idempotency.store=redis")
                .run(context -> {
                    assertThat(context).hasFailed();
                    FailureAnalysis analysis =
                            new NoIdempotencyStoreFailureAnalyzer().analyze(context.getStartupFailure());
                    assertThat(analysis.getDescription()).contains("idempotency.store is redis");
                });
    }

    @Test
    void severalDataSourcesWithoutAPrimaryOneAreExplained() {
        application.withUserConfiguration(Door.class, TwoDataSources.class).run(context -> {
            assertThat(context).hasFailed();
            FailureAnalysis analysis = new NoIdempotencyStoreFailureAnalyzer().analyze(context.getStartupFailure());
            assertThat(analysis.getDescription()).contains("DataSource beans: 2");
            assertThat(analysis.getAction()).contains("@Primary");
        });
    }

    @Test
    void aDataSourceCountsOnlyWithSpringJdbc() {
        withDatabase
                .withClassLoader(new FilteredClassLoader(JdbcOperations.class))
                .run(context -> assertThat(context).doesNotHaveBean(JdbcIdempotencyStore.class));
    }

    @Test
    void theStoreOfTheUserIsTheStore() {
        application
                .withBean("mine", InMemoryIdempotencyStore.class, () -> new InMemoryIdempotencyStore(1))
                .run(context ->
                        assertThat(context.getBean(IdempotencyStore.class)).isSameAs(context.getBean("mine")));
    }

    @Configuration(proxyBeanMethods = false)
    static class Door {

        @Bean
        Object injected(IdempotencyOperations idempotency) {
            return idempotency;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class TwoDataSources {

        @Bean
        DataSource orders() {
            return new SimpleDriverDataSource();
        }

        @Bean
        DataSource archive() {
            return new SimpleDriverDataSource();
        }
    }
}
