package io.idempotency.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.transaction.UnexpectedRollbackException;

/** What an attempt may do after the commit of its transactional step has failed. */
@ParameterizedClass
@MethodSource("settings")
class FailedStepCommitTests extends ShopScenario {

    static Stream<TransactionalShop.Setting> settings() {
        return TransactionalShop.Setting.withEveryManager();
    }

    @Test
    void aCommitWhoseReplyIsLostClosesTheStepAndThoseThatHadJoined() {
        attemptIsClosedBy(PlannedTransactionManager.Commit.APPLIED_AND_CUT);

        assertThat(runs).hasValue(1);
        assertThat(shop.rows()).containsExactly(1);
        attempt(this::outer);
        assertThat(shop.rows()).containsExactly(1);
    }

    @Test
    void aConnectionThatIsLostBeforeTheCommitClosesThemToo() {
        attemptIsClosedBy(PlannedTransactionManager.Commit.CUT);

        assertThat(shop.rows()).isEmpty();
        attempt(this::outer);
        assertThat(shop.rows()).containsExactly(2);
    }

    @Test
    void aCommitThatTheDatabaseRefusesClosesThemToTheAttempt() {
        shop.refuseCommitsWithSeveralRows();
        attempt(() -> {
            assertThatThrownBy(() -> outer(() -> {
                        shop.insert(100);
                        inner();
                    }))
                    .isInstanceOf(RuntimeException.class);
            assertClosed(this::outer);
            assertClosed(this::inner);
        });

        assertThat(shop.rows()).isEmpty();
        attempt(this::outer);
        assertThat(shop.rows()).containsExactly(2);
    }

    @Test
    void soDoesOneThatTookEffectAndFailsOnAConnectionThatWorks() {
        shop.refuseCommitsWithSeveralRows();
        attemptIsClosedBy((manager, status) -> {
            status.flush();
            BoundConnection.ofThisThread().commit();
            shop.insert(100);
            manager.commit(status);
        });

        attempt(this::outer);
        assertThat(shop.rows()).containsExactly(1);
        assertThat(runs).hasValue(1);
    }

    @Test
    void aTransactionThatCanOnlyBeRolledBackLetsItBeAskedForAgain() {
        attempt(() -> {
            assertThatThrownBy(() -> outer(() -> {
                        shop.insert(100);
                        shop.transactions().executeWithoutResult(status -> status.setRollbackOnly());
                    }))
                    .isInstanceOf(UnexpectedRollbackException.class);
            assertThat(shop.rows()).isEmpty();
            outer();
        });

        assertThat(shop.rows()).containsExactly(1);
    }

    @Test
    void whatACallbackThrowsAfterTheCommitIsNoFailureOfTheStep() {
        attempt(() -> {
            shop.transactionManager().commit(PlannedTransactionManager.Commit.APPLIED_AND_FAILED);
            outer();
            shop.transactionManager().commit((manager, status) -> manager.commit(status));
        });

        assertThat(shop.rows()).containsExactly(1);
    }

    /** Neither the step nor the one that had joined it may be asked for again after such a commit. */
    private void attemptIsClosedBy(PlannedTransactionManager.Commit commit) {
        attempt(() -> {
            shop.transactionManager().commit(commit);
            assertThatThrownBy(this::outer).isInstanceOf(RuntimeException.class);
            assertClosed(this::outer);
            assertClosed(this::inner);
        });
    }

    /** Fails, so that the next attempt has something to do. */
    private void attempt(Runnable work) {
        assertThatIllegalStateException()
                .isThrownBy(() -> shop.idempotency()
                        .operation(TransactionalShop.OPERATION)
                        .key(key)
                        .execute(String.class, () -> {
                            work.run();
                            throw new IllegalStateException("planted end of the attempt");
                        }))
                .withMessage("planted end of the attempt");
        shop.transactionManager().commit((manager, status) -> manager.commit(status));
    }

    private void assertClosed(Runnable step) {
        assertThatIllegalStateException().isThrownBy(step::run).withMessageContaining("Nobody can tell yet");
    }

    private void outer() {
        outer(this::inner);
    }

    private void outer(Runnable work) {
        shop.steps().step("outer").transactional().run(step -> work.run());
    }

    private void inner() {
        shop.steps().step("inner").transactional().run(step -> shop.insert(runs.incrementAndGet()));
    }
}
