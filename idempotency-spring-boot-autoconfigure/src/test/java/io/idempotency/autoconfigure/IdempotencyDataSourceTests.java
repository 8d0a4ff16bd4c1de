package io.idempotency.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.core.ClaimOutcome;
import io.idempotency.core.IdempotencyStore;
import io.idempotency.store.jdbc.JdbcIdempotencyStore;
import java.util.Objects;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

class IdempotencyDataSourceTests extends WithAnH2Database {

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
