package io.idempotency.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idempotency.core.OperationInDoubtException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.UnexpectedRollbackException;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** An operation in a transaction of its caller that is not committed, or of which nobody knows it. */
@ParameterizedClass
@MethodSource("settings")
class FailedCommitOfCallerTests extends ShopScenario {

    static Stream<TransactionalShop.Setting> settings() {
        return TransactionalShop.Setting.withEveryManager();
    }

    @Test
    void aCommitWhoseReplyIsLostLeavesADoubt() {
        shop.transactionManager().commit(PlannedTransactionManager.Commit.APPLIED_AND_CUT);

        assertThatThrownBy(() -> inTransaction(this::notifyOnce)).isInstanceOf(RuntimeException.class);

        assertThat(shop.rows()).containsExactly(1);
        assertIsInDoubt();
    }

    @Test
    void aConnectionThatIsLostBeforeTheCommitLeavesADoubt() {
        shop.transactionManager().commit(PlannedTransactionManager.Commit.CUT);

        assertThatThrownBy(() -> inTransaction(this::notifyOnce)).isInstanceOf(RuntimeException.class);

        assertThat(shop.rows()).isEmpty();
        assertIsInDoubt();
    }

    /** It comes too late for the callbacks before the commit. */
    @Test
    void theSameIsTrueOfAnOperationThatEndsInACallbackBeforeTheCommit() {
        assertThatThrownBy(() -> inTransaction(() -> {
                    beforeCommit(this::notifyOnce);
                    beforeCompletion(() -> BoundConnection.ofThisThread().cut());
                }))
                .isInstanceOf(RuntimeException.class);

        assertIsInDoubt();
    }

    @Test
    void aCommitThatTheDatabaseRefusesReleasesTheKey() {
        shop.refuseCommitsWithSeveralRows();

        assertThatThrownBy(() -> inTransaction(() -> {
                    shop.insert(100);
                    notifyOnce();
                }))
                .isInstanceOf(RuntimeException.class);

        assertThat(shop.rows()).isEmpty();
        runsAgain();
    }

    /** With JPA the row is written by the commit. */
    @Test
    void aRowThatIsRefusedReleasesTheKey() {
        inTransaction(() -> shop.insert(1));

        assertThatThrownBy(() -> inTransaction(this::notifyOnce)).isInstanceOf(RuntimeException.class);

        assertThat(shop.rows()).containsExactly(1);
        assertThat(inTransaction(this::notifyOnce)).isTrue();
        assertThat(shop.rows()).containsExactly(1, 2);
    }

    @Test
    void aTransactionThatCanOnlyBeRolledBackReleasesTheKey() {
        assertThatExceptionOfType(UnexpectedRollbackException.class)
                .isThrownBy(() -> inTransaction(() -> {
                    notifyOnce();
                    shop.transactions().executeWithoutResult(status -> status.setRollbackOnly());
                }));

        runsAgain();
    }

    @Test
    void aCallbackThatFailsBeforeTheCommitReleasesTheKey() {
        assertThatIllegalStateException()
                .isThrownBy(() -> inTransaction(() -> {
                    notifyOnce();
                    beforeCommit(() -> {
                        throw new IllegalStateException("planted");
                    });
                }));

        runsAgain();
    }

    /** Nobody has asked the database to commit. */
    @Test
    void aConnectionThatIsLostInTheMiddleOfTheWorkReleasesTheKey() {
        assertThatThrownBy(() -> inTransaction(() -> {
                    notifyOnce();
                    BoundConnection.ofThisThread().cut();
                    throw new IllegalStateException("planted");
                }))
                .isInstanceOf(RuntimeException.class);

        runsAgain();
    }

    /** The manager is told to commit it, and rolls it back. */
    @Test
    void theSameIsTrueWhereTheWorkHasSaidThatAllIsToBeRolledBack() {
        assertThatThrownBy(() -> shop.transactions().executeWithoutResult(status -> {
                    notifyOnce();
                    BoundConnection.ofThisThread().cut();
                    status.setRollbackOnly();
                }))
                .isInstanceOf(RuntimeException.class);

        runsAgain();
    }

    @Test
    void aTransactionInsideHasAnEndOfItsOwn() {
        assertThatIllegalStateException()
                .isThrownBy(() -> inTransaction(() -> {
                    in(TransactionDefinition.PROPAGATION_REQUIRES_NEW, this::notifyOnce);
                    throw new IllegalStateException("planted");
                }));
        assertThat(inTransaction(this::notifyOnce)).isFalse();
        assertThat(shop.rows()).containsExactly(1);
    }

    @Test
    void whatWasDoneBeforeItIsNotEndedByIt() {
        assertThatIllegalStateException()
                .isThrownBy(() -> inTransaction(() -> {
                    notifyOnce();
                    in(
                            TransactionDefinition.PROPAGATION_REQUIRES_NEW,
                            () -> assertThat(shop.rows()).isEmpty());
                    throw new IllegalStateException("planted");
                }));

        runsAgain();
    }

    private void assertIsInDoubt() {
        shop.transactionManager().commit((manager, status) -> manager.commit(status));
        assertThat(shop.events()).containsExactly("started", "held");
        assertThatExceptionOfType(OperationInDoubtException.class).isThrownBy(() -> inTransaction(this::notifyOnce));
        assertThat(runs).hasValue(1);
    }

    private void runsAgain() {
        assertThat(shop.events()).containsExactly("started", "released");
        assertThat(inTransaction(this::notifyOnce)).isTrue();
        assertThat(shop.rows()).containsExactly(2);
    }

    private boolean inTransaction(Runnable work) {
        int before = runs.get();
        in(TransactionDefinition.PROPAGATION_REQUIRED, work);
        return runs.get() > before;
    }

    private void notifyOnce() {
        shop.idempotency().operation("notify").key(key).execute(String.class, () -> {
            shop.insert(runs.incrementAndGet());
            return "notified";
        });
    }

    private static void beforeCommit(Runnable callback) {
        TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
            @Override
            public void beforeCommit(boolean readOnly) {
                callback.run();
            }
        });
    }

    private static void beforeCompletion(Runnable callback) {
        TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
            @Override
            public void beforeCompletion() {
                callback.run();
            }
        });
    }
}
