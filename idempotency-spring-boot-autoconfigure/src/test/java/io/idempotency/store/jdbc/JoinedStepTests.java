package io.idempotency.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.idempotency.core.TransactionSettings;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/** What a transactional step gets of the transaction that it joins, and what it cannot ask for. */
@ParameterizedClass
@MethodSource("settings")
class JoinedStepTests extends ShopScenario {

    static Stream<TransactionalShop.Setting> settings() {
        return TransactionalShop.Setting.all()
                .filter(setting -> setting.product() != TestDatabase.Product.MYSQL && !setting.isRepeatableRead());
    }

    @Test
    void insideOfATransactionalOperationItJoinsItsTransaction() {
        assertThatIllegalStateException()
                .isThrownBy(() -> shop.call(key).execute(String.class, () -> {
                    step("book", 1);
                    throw new IllegalStateException("declined");
                }))
                .withMessage("declined");
        assertThat(shop.rows()).isEmpty();
        assertThat(recordedSteps()).isZero();

        int begun = shop.transactionManager().begun();
        shop.call(key).execute(String.class, () -> step("book", 2));

        assertThat(shop.transactionManager().begun() - begun).isEqualTo(1);
        assertThat(shop.rows()).containsExactly(2);
        assertThat(recordedSteps()).isEqualTo(1);
    }

    @Test
    void insideOfATransactionalStepItJoinsItsTransaction() {
        assertThatIllegalStateException()
                .isThrownBy(() -> order(() -> step("book", step -> {
                    shop.steps().step("inner").transactional().run(inner -> shop.insert(1));
                    throw new IllegalStateException("declined");
                })));

        assertThat(shop.rows()).isEmpty();
        assertThat(recordedSteps()).isZero();
    }

    @Test
    void aStepThatIsUndoneToASavepointMayBeAskedForAgain() {
        assumeThatSavepointsAreSupported();
        work(() -> {
            undone(() -> step(1));
            assertThat(step(2)).isEqualTo("run 2");
            asksTwice();
        });

        assertThat(shop.rows()).containsExactly(2);
        assertThat(recordedSteps()).isEqualTo(1);
    }

    @Test
    void aStepThatWasDoneBeforeASavepointStaysDone() {
        assumeThatSavepointsAreSupported();
        work(() -> {
            step(1);
            undone(() -> shop.insert(3));
            asksTwice();
        });

        assertThat(shop.rows()).containsExactly(1);
        assertThat(recordedSteps()).isEqualTo(1);
    }

    /** Where Hibernate wrote it by the commit, it would be a failure of all that was done before. */
    @Test
    void aRowThatIsRefusedIsAFailureOfItsStep() {
        work(() -> shop.insert(1));

        assertThatIllegalStateException()
                .isThrownBy(() -> shop.call(key + "again").execute(String.class, () -> {
                    assertThatThrownBy(() -> step(1)).isInstanceOf(DataIntegrityViolationException.class);
                    return "went on";
                }))
                .withMessageContaining("'inner' has failed")
                .withCauseInstanceOf(DataIntegrityViolationException.class);
    }

    @Test
    void aStepThatNamesAnotherTransactionManagerIsRefused() {
        work(() -> {
            refuses(settings("archive", TransactionSettings.DATABASE_ISOLATION), "'archive'");
            refuses(settings("missing", TransactionSettings.DATABASE_ISOLATION), "'missing'");
            step(1, settings("shop", TransactionSettings.DATABASE_ISOLATION));
        });

        assertThat(shop.rows()).containsExactly(1);
    }

    @Test
    void aStepThatAsksForAnotherIsolationIsRefused() {
        work(() -> {
            refuses(settings("shop", TransactionDefinition.ISOLATION_SERIALIZABLE), "another isolation");
            step(1, settings("shop", setting.isolation()));
        });

        assertThat(shop.rows()).containsExactly(1);
    }

    private void asksTwice() {
        assertThatIllegalStateException().isThrownBy(() -> step(9)).withMessageContaining("asked for twice");
    }

    private void assumeThatSavepointsAreSupported() {
        assumeThat(setting.manager()).as("Hibernate has no savepoints").isNotEqualTo(TransactionalShop.Manager.JPA);
    }

    private void undone(Runnable work) {
        TransactionTemplate template = shop.transactions();
        template.setPropagationBehavior(TransactionDefinition.PROPAGATION_NESTED);
        template.executeWithoutResult(status -> {
            work.run();
            status.setRollbackOnly();
        });
    }

    private void refuses(TransactionSettings settings, String reason) {
        assertThatIllegalStateException().isThrownBy(() -> step(9, settings)).withMessageContaining(reason);
    }

    private static TransactionSettings settings(String manager, int isolation) {
        return new TransactionSettings(Optional.of(manager), isolation, Optional.empty());
    }

    private void work(Runnable work) {
        shop.call(key).execute(String.class, () -> {
            work.run();
            return "done";
        });
    }

    private String step(int number) {
        return step(number, TransactionSettings.DEFAULT);
    }

    private String step(int number, TransactionSettings settings) {
        return shop.steps().step("inner").transactional(settings).run(String.class, step -> {
            shop.insert(number);
            return "run " + runs.incrementAndGet();
        });
    }
}
