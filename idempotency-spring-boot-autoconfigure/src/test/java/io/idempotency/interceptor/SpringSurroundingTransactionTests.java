package io.idempotency.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.idempotency.core.CommitProbe;
import io.idempotency.core.SurroundingTransaction.End;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

class SpringSurroundingTransactionTests {

    private final DataSourceTransactionManager manager =
            new DataSourceTransactionManager(new DriverManagerDataSource("jdbc:h2:mem:" + UUID.randomUUID()));

    private final TransactionTemplate outer = new TransactionTemplate(manager);

    private final TransactionTemplate nested = new TransactionTemplate(
            manager, new DefaultTransactionDefinition(TransactionDefinition.PROPAGATION_NESTED));

    private final TransactionTemplate refusing = new TransactionTemplate(
            new DataSourceTransactionManager(new DriverManagerDataSource("jdbc:h2:mem:" + UUID.randomUUID())) {
                @Override
                protected void doCommit(DefaultTransactionStatus status) {
                    throw new IllegalStateException("planted");
                }
            });

    private final SpringSurroundingTransaction transaction = new SpringSurroundingTransaction(CommitProbe.NONE);

    private final List<End> ends = new ArrayList<>();

    @Test
    void whatIsCommittedIsToldSo() {
        outer.executeWithoutResult(status -> work());

        assertThat(ends).containsExactly(End.COMMITTED);
    }

    @Test
    void whatIsRolledBackIsToldSo() {
        outer.executeWithoutResult(status -> {
            work();
            status.setRollbackOnly();
        });

        assertThat(ends).containsExactly(End.ROLLED_BACK);
    }

    @Test
    void whatIsUndoneToASavepointIsRolledBackThoughTheRestIsCommitted() {
        outer.executeWithoutResult(status -> nested.executeWithoutResult(inner -> {
            work();
            inner.setRollbackOnly();
        }));

        assertThat(ends).containsExactly(End.ROLLED_BACK);
    }

    @Test
    void whatWasDoneBeforeASavepointIsNotUndoneByIt() {
        outer.executeWithoutResult(status -> {
            work();
            nested.executeWithoutResult(inner -> inner.setRollbackOnly());
        });

        assertThat(ends).containsExactly(End.COMMITTED);
    }

    @Test
    void whatWasDoneInASavepointThatIsKeptIsUndoneWithTheOneAroundIt() {
        outer.executeWithoutResult(status -> nested.executeWithoutResult(around -> {
            nested.executeWithoutResult(inner -> work());
            around.setRollbackOnly();
        }));

        assertThat(ends).containsExactly(End.ROLLED_BACK);
    }

    @Test
    void whatIsUndoneToASavepointIsToldSoAtOnceAndOnce() {
        outer.executeWithoutResult(status -> {
            nested.executeWithoutResult(inner -> {
                work();
                work();
                inner.setRollbackOnly();
            });
            assertThat(ends).containsExactly(End.ROLLED_BACK, End.ROLLED_BACK);
            work();
        });

        assertThat(ends).containsExactly(End.ROLLED_BACK, End.ROLLED_BACK, End.COMMITTED);
    }

    @Test
    void aCallbackThatFailsKeepsNobodyFromBeingTold() {
        outer.executeWithoutResult(status -> {
            nested.executeWithoutResult(inner -> {
                failingWork();
                work();
                inner.setRollbackOnly();
            });
            failingWork();
            work();
        });

        assertThat(ends).containsExactly(End.ROLLED_BACK, End.COMMITTED);
    }

    @Test
    void whereTheProbeFailsNobodyKnowsWhatBecameOfACommitThatFailed() {
        SpringSurroundingTransaction unprobed = new SpringSurroundingTransaction(() -> Optional.of(() -> {
            throw new AbstractMethodError("planted");
        }));
        SpringSurroundingTransaction broken = new SpringSurroundingTransaction(() -> Optional.of(() -> {
            throw new IllegalStateException("planted");
        }));

        for (SpringSurroundingTransaction probed : List.of(unprobed, broken)) {
            assertThatIllegalStateException()
                    .isThrownBy(() -> refusing.executeWithoutResult(status -> {
                        probed.afterCompletion(ends::add);
                    }));
        }

        assertThat(ends).containsExactly(End.UNKNOWN, End.UNKNOWN);
    }

    @Test
    void aTransactionInsideOfAnotherHasItsOwnEnd() {
        TransactionTemplate separate = new TransactionTemplate(
                manager, new DefaultTransactionDefinition(TransactionDefinition.PROPAGATION_REQUIRES_NEW));
        outer.executeWithoutResult(status -> {
            work();
            separate.executeWithoutResult(inner -> {
                work();
                inner.setRollbackOnly();
            });
            assertThat(ends).containsExactly(End.ROLLED_BACK);
            work();
        });

        assertThat(ends).containsExactly(End.ROLLED_BACK, End.COMMITTED, End.COMMITTED);
    }

    @Test
    void nothingOfATransactionStaysOnTheThread() {
        outer.executeWithoutResult(status -> work());

        assertThat(TransactionSynchronizationManager.getResourceMap()).isEmpty();
    }

    /** Its end cannot be told. */
    private void failingWork() {
        transaction.afterCompletion(end -> {
            throw new IllegalStateException("planted");
        });
    }

    /** An operation ends here. */
    private void work() {
        assertThat(transaction.isActive()).isTrue();
        transaction.afterCompletion(ends::add);
    }
}
