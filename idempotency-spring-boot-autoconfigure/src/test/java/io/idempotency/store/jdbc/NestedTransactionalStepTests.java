package io.idempotency.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.idempotency.core.OperationInProgressException;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Steps that are asked for where a transaction keeps the record of their operation locked. */
@ParameterizedClass
@MethodSource("settings")
class NestedTransactionalStepTests extends ShopScenario {

    /** None of it depends on the database or the isolation, but much on the transaction manager. */
    static Stream<TransactionalShop.Setting> settings() {
        return TransactionalShop.Setting.all()
                .filter(setting -> setting.product() == TestDatabase.Product.POSTGRES && !setting.isRepeatableRead());
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
                                .isThrownBy(() -> shop.steps().run("charge", String.class, charge -> "charged"))
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
            return step("inner", 1);
        }));
        assertThat(shop.rows()).containsExactly(1);

        shop.call(key + "of operation").execute(String.class, () -> {
            refusesStepsWhereTheTransactionIsSuspended();
            return step("inner", 2);
        });
        assertThat(shop.rows()).containsExactly(1, 2);
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

    @Test
    void anOperationInsideOfAStepIsAnotherOneOrRefused() {
        order(() -> step("outer", step -> {
            shop.insert(1);
            assertThat(shop.idempotency()
                            .operation("notify")
                            .key(key)
                            .execute(String.class, () -> {
                                assertThatIllegalStateException()
                                        .isThrownBy(() -> step("inner", 9))
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

    private void refusesStepsWhereTheTransactionIsSuspended() {
        for (int propagation : new int[] {
            TransactionDefinition.PROPAGATION_REQUIRES_NEW, TransactionDefinition.PROPAGATION_NOT_SUPPORTED
        }) {
            in(
                    propagation,
                    () -> assertThatIllegalStateException()
                            .isThrownBy(() -> step("inner", 9))
                            .withMessageContaining("'inner'")
                            .withMessageContaining("suspended or over"));
        }
    }

    private void assertEveryStepIsRefused(String when) {
        assertThatIllegalStateException().as(when).isThrownBy(() -> step("inner", step -> "never"));
        assertThatIllegalStateException()
                .as(when)
                .isThrownBy(() -> shop.steps().run("charge", String.class, step -> "never"));
        runs.incrementAndGet();
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
