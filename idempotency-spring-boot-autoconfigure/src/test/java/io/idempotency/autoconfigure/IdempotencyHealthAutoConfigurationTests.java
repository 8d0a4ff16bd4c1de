package io.idempotency.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.core.IdempotencyOperations;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

class IdempotencyHealthAutoConfigurationTests {

    private static final String INDICATOR = "idempotencyHealthIndicator";

    private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
            .withPropertyValues("idempotency.store=memory")
            .withConfiguration(AutoConfigurations.of(
                    IdempotencyAutoConfiguration.class,
                    InMemoryIdempotencyStoreAutoConfiguration.class,
                    IdempotencyHealthAutoConfiguration.class));

    @Test
    void theStoreIsHealthyOnceItIsNeeded() {
        contextRunner.run(context -> {
            context.getBean(IdempotencyOperations.class);

            assertThat(health(context).getStatus()).isEqualTo(Status.UP);
        });
    }

    @Test
    void aStoreThatNobodyNeedsIsNotBroughtIntoBeing() {
        contextRunner.run(context -> {
            assertThat(health(context).getStatus()).isEqualTo(Status.UNKNOWN);

            assertThat(context.getBeanFactory().containsSingleton("inMemoryIdempotencyStore"))
                    .isFalse();
        });
    }

    @Test
    void anApplicationWithoutAStoreIsNotDown() {
        contextRunner
                .withPropertyValues("idempotency.store=redis")
                .run(context -> assertThat(health(context).getStatus()).isEqualTo(Status.UNKNOWN));
    }

    @Test
    void theIndicatorIsNotThereWhenItIsSwitchedOff() {
        contextRunner
                .withPropertyValues("management.health.idempotency.enabled=false")
                .run(context -> assertThat(context).doesNotHaveBean(INDICATOR));
    }

    @Test
    void theIndicatorIsNotThereWhenAllAreSwitchedOff() {
        contextRunner
                .withPropertyValues("management.health.defaults.enabled=false")
                .run(context -> assertThat(context).doesNotHaveBean(INDICATOR));
    }

    @Test
    void theIndicatorIsNotThereWhenTheStarterIsSwitchedOff() {
        contextRunner
                .withPropertyValues("idempotency.enabled=false")
                .run(context -> assertThat(context).doesNotHaveBean(INDICATOR));
    }

    @Test
    void theIndicatorIsNotThereWithoutHealth() {
        contextRunner
                .withClassLoader(new FilteredClassLoader(HealthIndicator.class))
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(INDICATOR));
    }

    @Test
    void anIndicatorOfTheUserIsLeftAlone() {
        contextRunner
                .withBean(
                        INDICATOR,
                        HealthIndicator.class,
                        () -> () -> Health.outOfService().build())
                .run(context -> assertThat(health(context).getStatus()).isEqualTo(Status.OUT_OF_SERVICE));
    }

    private static Health health(ApplicationContext context) {
        Health health = context.getBean(INDICATOR, HealthIndicator.class).health();
        assertThat(health).isNotNull();
        return health;
    }
}
