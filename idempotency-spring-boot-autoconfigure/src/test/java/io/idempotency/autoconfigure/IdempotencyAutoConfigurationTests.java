package io.idempotency.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.idempotency.core.IdempotencyOperations;
import io.idempotency.core.IdempotencyStore;
import io.idempotency.core.IdempotencyTemplate;
import io.idempotency.core.IdempotentResult;
import io.idempotency.core.OnStoreFailure;
import io.idempotency.core.OperationPolicy;
import io.idempotency.core.PassThroughOperations;
import io.idempotency.step.IdempotentSteps;
import io.idempotency.step.StepContext;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.AbstractDataSource;

@ExtendWith(OutputCaptureExtension.class)
class IdempotencyAutoConfigurationTests extends WithEveryAutoConfiguration {

    @Test
    void anApplicationThatProtectsNothingNeedsNoStore() {
        application.run(context -> assertThat(context).hasNotFailed());
        withDatabase
                .withConfiguration(AutoConfigurations.of(DataRedisAutoConfiguration.class))
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void anApplicationWithoutANameIsToldOnceThatOthersMayShareItsKeys(CapturedOutput output) {
        withDatabase.run(context -> context.getBean(IdempotencyOperations.class));

        assertThat(output).containsOnlyOnce("Neither spring.application.name nor idempotency.namespace is set");
    }

    @ParameterizedTest
    @ValueSource(strings = {"spring.application.name=shop", "idempotency.namespace=shop", "idempotency.store=memory"})
    void anApplicationWithANameOrAStoreThatNobodySharesIsToldNothingOfIt(String property, CapturedOutput output) {
        withDatabase.withPropertyValues(property).run(context -> context.getBean(IdempotencyOperations.class));

        assertThat(output).doesNotContain("idempotency.namespace");
    }

    @Test
    void thePropertiesAreTheDefaultPolicy() {
        application
                .withPropertyValues(
                        "idempotency.lease=10s",
                        "idempotency.max-duration=1m",
                        "idempotency.retention=7d",
                        "idempotency.wait=2s",
                        "idempotency.on-store-failure=proceed")
                .run(context -> {
                    OperationPolicy policy = context.getBean(OperationPolicy.class);
                    assertThat(policy.lease()).isEqualTo(Duration.ofSeconds(10));
                    assertThat(policy.maxDuration()).isEqualTo(Duration.ofMinutes(1));
                    assertThat(policy.retention()).isEqualTo(Duration.ofDays(7));
                    assertThat(policy.maxWait()).isEqualTo(Duration.ofSeconds(2));
                    assertThat(policy.onStoreFailure()).isEqualTo(OnStoreFailure.PROCEED);
                });
    }

    @Test
    void withoutPropertiesTheDefaultPolicyIsTheOneOfTheEngine() {
        application.run(
                context -> assertThat(context.getBean(OperationPolicy.class)).isEqualTo(OperationPolicy.DEFAULT));
    }

    @Test
    void aPolicyOfTheApplicationsOwnIsNotTakenForTheDefaultOne() {
        application
                .withBean(
                        "payments",
                        OperationPolicy.class,
                        () -> OperationPolicy.DEFAULT.withLease(Duration.ofMinutes(1)))
                .withPropertyValues("idempotency.store=memory", "idempotency.retention=1h")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(context.getBean(IdempotencyAutoConfiguration.DEFAULT_POLICY, OperationPolicy.class))
                            .extracting(OperationPolicy::lease, OperationPolicy::retention)
                            .containsExactly(Duration.ofSeconds(30), Duration.ofHours(1));
                    assertThat(context.getBean(IdempotencyTemplate.class)).isNotNull();
                });
    }

    @Test
    void aDatabaseOfAnotherKindIsNotAskedForAnythingWhileNothingIsProtected() {
        application
                .withConfiguration(AutoConfigurations.of(JdbcTemplateAutoConfiguration.class))
                .withBean(DataSource.class, UnreachableDataSource::new)
                .run(context -> assertThat(context).hasNotFailed().hasSingleBean(JdbcTemplate.class));
    }

    @Test
    void impossibleDurationsStopTheStart() {
        application
                .withPropertyValues("idempotency.lease=0s")
                .run(context -> assertThat(context).getFailure().rootCause().hasMessageContaining("lease is PT0S"));
    }

    @Test
    void theProgrammaticDoorReplays() {
        application.withPropertyValues("idempotency.store=memory").run(context -> {
            IdempotencyOperations idempotency = context.getBean(IdempotencyOperations.class);
            idempotency.operation("invoice").key("evt_1").execute(String.class, () -> "inv_1");

            IdempotentResult<String> second =
                    idempotency.operation("invoice").key("evt_1").execute(String.class, () -> "inv_2");

            assertThat(second).isEqualTo(new IdempotentResult<>("inv_1", true, 1));
        });
    }

    @Test
    void stepsAreSkippedByARetry() {
        application.withPropertyValues("idempotency.store=memory").run(context -> {
            IdempotencyOperations idempotency = context.getBean(IdempotencyOperations.class);
            IdempotentSteps steps = context.getBean(IdempotentSteps.class);
            assertThatIllegalStateException()
                    .isThrownBy(() -> idempotency.operation("order").key("k").execute(String.class, () -> {
                        steps.run("charge", String.class, step -> "receipt 1");
                        throw new IllegalStateException("planted");
                    }));

            IdempotentResult<String> second = idempotency
                    .operation("order")
                    .key("k")
                    .execute(String.class, () -> steps.run("charge", String.class, step -> "receipt 2"));

            assertThat(second).isEqualTo(new IdempotentResult<>("receipt 1", false, 2));
        });
    }

    @Test
    void switchedOffStepsRunOutsideOfOperationsToo() {
        application
                .withPropertyValues("idempotency.enabled=false")
                .run(context -> assertThat(
                                context.getBean(IdempotentSteps.class).run("charge", String.class, StepContext::key))
                        .isNotEqualTo(
                                context.getBean(IdempotentSteps.class).run("charge", String.class, StepContext::key)));
    }

    @Test
    void switchedOffEverythingRunsStraightThroughAndThatIsSaidOnce(CapturedOutput output) {
        application.withPropertyValues("idempotency.enabled=false").run(context -> {
            assertThat(context).doesNotHaveBean(IdempotencyTemplate.class).doesNotHaveBean(IdempotencyStore.class);
            IdempotencyOperations idempotency = context.getBean(PassThroughOperations.class);
            idempotency.operation("invoice").key("evt_1").execute(String.class, () -> "inv_1");
            assertThat(idempotency
                            .operation("invoice")
                            .key("evt_1")
                            .execute(String.class, () -> "inv_2")
                            .value())
                    .isEqualTo("inv_2");
        });
        assertThat(output).containsOnlyOnce("idempotency.enabled is false");
    }

    /** Fails when it is asked for a connection. */
    private static final class UnreachableDataSource extends AbstractDataSource {

        @Override
        public Connection getConnection() throws SQLException {
            throw new SQLException("planted");
        }

        @Override
        public Connection getConnection(String username, String password) throws SQLException {
            return getConnection();
        }
    }
}
