package io.idempotency.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idempotency.step.IdempotentSteps;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.transaction.UnexpectedRollbackException;

/** What an attempt may do after the commit of its transactional step has failed. */
@ParameterizedClass
@MethodSource("settings")
@Timeout(120)
class FailedStepCommitTests {

    private final AtomicInteger runs = new AtomicInteger();

    @Parameter
    private TransactionalShop.Setting setting;

    private TransactionalShop shop;

    private IdempotentSteps steps;

    static Stream<TransactionalShop.Setting> settings() {
        return TransactionalShop.Setting.withEveryManager();
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
    void aCommitWhoseReplyIsLostClosesTheStepAndThoseThatHadJoined() {
        order(() -> {
            shop.transactionManager().commit(PlannedTransactionManager.Commit.APPLIED_AND_CUT);
            assertThatThrownBy(this::outer).isInstanceOf(RuntimeException.class);
            assertClosed(this::outer);
            assertClosed(this::inner);
        });

        assertThat(runs).hasValue(1);
        assertThat(shop.rows()).containsExactly(1);
        order(this::outer);
        assertThat(shop.rows()).containsExactly(1);
    }

    @Test
    void aConnectionThatIsLostBeforeTheCommitClosesThemToo() {
        order(() -> {
            shop.transactionManager().commit(PlannedTransactionManager.Commit.CUT);
            assertThatThrownBy(this::outer).isInstanceOf(RuntimeException.class);
            assertClosed(this::outer);
            assertClosed(this::inner);
        });

        assertThat(shop.rows()).isEmpty();
        order(this::outer);
        assertThat(shop.rows()).containsExactly(2);
    }

    @Test
    void aCommitThatTheDatabaseRefusesLetsThemBeAskedForAgain() {
        shop.refuseCommitsWithSeveralRows();
        order(() -> {
            assertThatThrownBy(() -> outer(() -> {
                        shop.insert(100);
                        inner();
                    }))
                    .isInstanceOf(RuntimeException.class);
            assertThat(shop.rows()).isEmpty();
            outer();
        });

        assertThat(shop.rows()).containsExactly(2);
    }

    @Test
    void aTransactionThatCanOnlyBeRolledBackLetsThemBeAskedForAgain() {
        order(() -> {
            assertThatThrownBy(() -> outer(() -> {
                        inner();
                        shop.transactions().executeWithoutResult(status -> status.setRollbackOnly());
                    }))
                    .isInstanceOf(UnexpectedRollbackException.class);
            assertThat(shop.rows()).isEmpty();
            outer();
        });

        assertThat(shop.rows()).containsExactly(2);
    }

    @Test
    void whatACallbackThrowsAfterTheCommitIsNoFailureOfTheStep() {
        order(() -> {
            shop.transactionManager().commit(PlannedTransactionManager.Commit.APPLIED_AND_FAILED);
            outer();
            shop.transactionManager().commit((manager, status) -> manager.commit(status));
        });

        assertThat(shop.rows()).containsExactly(1);
    }

    /** Fails, so that the next attempt has something to do. */
    private void order(Runnable work) {
        assertThatIllegalStateException()
                .isThrownBy(() -> shop.idempotency()
                        .operation(TransactionalShop.OPERATION)
                        .key("key")
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
        steps.step("outer").transactional().run(step -> work.run());
    }

    private void inner() {
        steps.step("inner").transactional().run(step -> shop.insert(runs.incrementAndGet()));
    }
}
