package io.idempotency.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.idempotency.core.IdempotentWork;
import io.idempotency.core.OnFailure;
import io.idempotency.core.OperationInProgressException;
import io.idempotency.core.OperationPolicy;
import io.idempotency.step.IdempotentSteps;
import io.idempotency.step.StepWork;
import java.io.IOException;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Steps that are asked for where a transaction keeps the record of their operation locked. */
@ParameterizedClass
@MethodSource("settings")
@Timeout(120)
class NestedTransactionalStepTests {

    @Parameter
    private TransactionalShop.Setting setting;

    private final String key = UUID.randomUUID().toString();

    private final AtomicInteger runs = new AtomicInteger();

    private TransactionalShop shop;

    private IdempotentSteps steps;

    /** None of it depends on the database or the isolation, but much on the transaction manager. */
    static Stream<TransactionalShop.Setting> settings() {
        return TransactionalShop.Setting.all()
                .filter(setting -> setting.product() == TestDatabase.Product.POSTGRES && !setting.isRepeatableRead());
    }

    @BeforeEach
    void open() {
        shop = TransactionalShop.open(setting);
        steps = shop.steps();
    }

    @AfterEach
    void close() {
        shop.close();
    }

    @Test
    void aFailureThatTheOperationCatchesRollsItBack() {
        assertThatIllegalStateException()
                .isThrownBy(() -> shop.call(key).execute(String.class, this::catchesTheFailureOfAStep))
                .withMessageContaining("Operation book is rolled back")
                .withMessageContaining("'inner'")
                .withCauseInstanceOf(IOException.class);

        assertNothingIsWritten();
        shop.call(key).execute(String.class, () -> joined("inner", 3));
        assertThat(shop.rows()).containsExactly(3);
    }

    @Test
    void aFailureThatTheOuterStepCatchesRollsItBack() {
        order(() -> {
            assertThatIllegalStateException()
                    .isThrownBy(() -> step("outer", step -> catchesTheFailureOfAStep()))
                    .withMessageContaining("Step 'outer' is rolled back")
                    .withCauseInstanceOf(IOException.class);
            assertNothingIsWritten();
            return step("outer", step -> joined("inner", 3));
        });

        assertThat(shop.rows()).containsExactly(3);
        assertThat(recordedSteps()).isEqualTo(2);
    }

    /** The row is in the database when the step fails, whatever writes it. */
    private String catchesTheFailureOfAStep() {
        shop.insert(1);
        assertThatIOException()
                .isThrownBy(() -> step("inner", step -> {
                    shop.insert(2);
                    throw new IOException("declined");
                }));
        assertThatIllegalStateException()
                .isThrownBy(() -> joined("other", 4))
                .withMessageContaining("can only be rolled back");
        return "went on";
    }

    @Test
    void thatAStepHasFailedIsNoOutcomeOfItsOperation() {
        OperationPolicy policy = shop.policy().withOnFailure(OnFailure.STORE);
        assertThatIllegalStateException()
                .isThrownBy(() -> shop.call(key, policy).execute(String.class, this::catchesTheFailureOfAStep));

        assertThat(shop.call(key, policy)
                        .execute(String.class, () -> joined("inner", 3))
                        .attempt())
                .isEqualTo(2);
    }

    @Test
    void theOuterStepMayBeAskedForAgainWithAllThatIsInside() {
        order(() -> {
            assertThatIllegalStateException()
                    .isThrownBy(() -> step("outer", step -> {
                        joined("first", 1);
                        joined("second", 2);
                        throw new IllegalStateException("declined");
                    }))
                    .withMessage("declined");
            assertNothingIsWritten();
            return step("outer", step -> joined("first", 3) + joined("second", 4));
        });

        assertThat(shop.rows()).containsExactly(3, 4);
        assertThat(recordedSteps()).isEqualTo(3);
    }

    @Test
    void whatWasRolledBackInsideMayBeAskedForOutside() {
        order(() -> {
            assertThatIllegalStateException()
                    .isThrownBy(() -> step("outer", step -> {
                        joined("inner", 1);
                        throw new IllegalStateException("declined");
                    }));
            return joined("inner", 2);
        });

        assertThat(shop.rows()).containsExactly(2);
    }

    @Test
    void aStepThatIsRecordedByItselfIsRefusedHoweverTheTransactionIsLeft() {
        order(() -> step("outer", step -> {
            shop.insert(1);
            for (int propagation : new int[] {
                TransactionDefinition.PROPAGATION_REQUIRED,
                TransactionDefinition.PROPAGATION_REQUIRES_NEW,
                TransactionDefinition.PROPAGATION_NOT_SUPPORTED
            }) {
                in(
                        propagation,
                        () -> assertThatIllegalStateException()
                                .isThrownBy(() -> steps.run("charge", String.class, charge -> "charged"))
                                .withMessageContaining("'charge'")
                                .withMessageContaining("keeps the record locked"));
            }
            return "booked";
        }));

        assertThat(recordedSteps()).isEqualTo(1);
    }

    @Test
    void aTransactionalStepIsRefusedWhereTheTransactionIsSuspended() {
        order(() -> step("outer", step -> {
            refusesStepsWhereTheTransactionIsSuspended();
            return joined("inner", 1);
        }));
        assertThat(shop.rows()).containsExactly(1);

        shop.call(key + "of operation").execute(String.class, () -> {
            refusesStepsWhereTheTransactionIsSuspended();
            return joined("inner", 2);
        });
        assertThat(shop.rows()).containsExactly(1, 2);
    }

    private void refusesStepsWhereTheTransactionIsSuspended() {
        for (int propagation : new int[] {
            TransactionDefinition.PROPAGATION_REQUIRES_NEW, TransactionDefinition.PROPAGATION_NOT_SUPPORTED
        }) {
            in(
                    propagation,
                    () -> assertThatIllegalStateException()
                            .isThrownBy(() -> joined("inner", 9))
                            .withMessageContaining("'inner'")
                            .withMessageContaining("suspended or over"));
        }
    }

    @Test
    void everyStepIsRefusedByCallbacksOfTheTransaction() {
        order(() -> step("outer", step -> {
            shop.insert(1);
            TransactionSynchronizationManager.registerSynchronization(new Callbacks(this::assertEveryStepIsRefused));
            return "booked";
        }));
        shop.call(key + "of operation").execute(String.class, () -> {
            shop.insert(2);
            TransactionSynchronizationManager.registerSynchronization(new Callbacks(this::assertEveryStepIsRefused));
            return "booked";
        });

        assertThat(runs).hasValue(8);
        assertThat(shop.rows()).containsExactly(1, 2);
        assertThat(recordedSteps()).isEqualTo(1);
    }

    private void assertEveryStepIsRefused(String when) {
        assertThatIllegalStateException().as(when).isThrownBy(() -> step("inner", step -> "never"));
        assertThatIllegalStateException().as(when).isThrownBy(() -> steps.run("charge", String.class, step -> "never"));
        runs.incrementAndGet();
    }

    @Test
    void anOperationInsideOfAStepIsAnotherOneOrRefused() {
        order(() -> step("outer", step -> {
            shop.insert(1);
            assertThat(shop.idempotency()
                            .operation("notify")
                            .key(key)
                            .execute(String.class, () -> {
                                assertThatIllegalStateException()
                                        .isThrownBy(() -> joined("inner", 9))
                                        .withMessageContaining("open already");
                                return "notified";
                            })
                            .replayed())
                    .isFalse();
            assertThatExceptionOfType(OperationInProgressException.class).isThrownBy(() -> order(() -> "never"));
            in(
                    TransactionDefinition.PROPAGATION_NOT_SUPPORTED,
                    () -> assertThatExceptionOfType(OperationInProgressException.class)
                            .isThrownBy(() -> shop.call(key).execute(String.class, () -> "never")));
            assertThatIllegalStateException()
                    .isThrownBy(() -> shop.call(key + "other").execute(String.class, () -> "never"))
                    .withMessageContaining("open already");
            return "booked";
        }));

        assertThat(shop.rows()).containsExactly(1);
    }

    private void in(int propagation, Runnable work) {
        TransactionTemplate template = shop.transactions();
        template.setPropagationBehavior(propagation);
        template.executeWithoutResult(status -> work.run());
    }

    private String order(IdempotentWork<String, RuntimeException> work) {
        return shop.idempotency()
                .operation(TransactionalShop.OPERATION)
                .key(key)
                .execute(String.class, work)
                .value();
    }

    private String joined(String name, int number) {
        return step(name, step -> {
            shop.insert(number);
            return "booked " + runs.incrementAndGet();
        });
    }

    private <E extends Throwable> String step(String name, StepWork<String, E> work) throws E {
        return steps.step(name)
                .transactional(shop.policy().transaction().orElseThrow())
                .run(String.class, work);
    }

    private void assertNothingIsWritten() {
        assertThat(shop.rows()).isEmpty();
        assertThat(recordedSteps()).isZero();
    }

    private int recordedSteps() {
        return shop.database().jdbc().queryForObject("SELECT COUNT(*) FROM idempotency_step", Integer.class);
    }

    /** Calls back whenever the transaction does. */
    private record Callbacks(Consumer<String> action) implements TransactionSynchronization {

        @Override
        public void beforeCommit(boolean readOnly) {
            action.accept("before commit");
        }

        @Override
        public void beforeCompletion() {
            action.accept("before completion");
        }

        @Override
        public void afterCommit() {
            action.accept("after commit");
        }

        @Override
        public void afterCompletion(int status) {
            action.accept("after completion");
        }
    }
}
