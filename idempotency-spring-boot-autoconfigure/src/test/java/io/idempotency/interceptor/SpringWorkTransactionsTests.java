package io.idempotency.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.idempotency.core.CommitProbe;
import io.idempotency.core.SurroundingTransaction.End;
import io.idempotency.core.TransactionSettings;
import io.idempotency.core.WorkTransactions.WorkTransaction;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.UnexpectedRollbackException;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

class SpringWorkTransactionsTests {

    private final DataSourceTransactionManager manager =
            new DataSourceTransactionManager(new DriverManagerDataSource("jdbc:h2:mem:" + UUID.randomUUID()));

    private final SpringWorkTransactions transactions =
            new SpringWorkTransactions(new DefaultListableBeanFactory(), () -> manager, CommitProbe.NONE);

    @Test
    void whatIsCommittedIsKnownToBe() {
        WorkTransaction transaction = begin();
        assertThat(transaction.end()).isEqualTo(End.UNKNOWN);

        transaction.commit();

        assertThat(transaction.end()).isEqualTo(End.COMMITTED);
    }

    @Test
    void whatIsRolledBackInsteadOfCommittedIsKnownToBe() {
        WorkTransaction transaction = begin();
        setRollbackOnly();

        assertThatExceptionOfType(UnexpectedRollbackException.class).isThrownBy(transaction::commit);

        assertThat(transaction.end()).isEqualTo(End.ROLLED_BACK);
    }

    @Test
    void withoutSynchronizationsARollbackIsKnownAndNothingElse() {
        manager.setTransactionSynchronization(AbstractPlatformTransactionManager.SYNCHRONIZATION_NEVER);
        WorkTransaction rolledBack = begin();
        setRollbackOnly();
        assertThatExceptionOfType(UnexpectedRollbackException.class).isThrownBy(rolledBack::commit);
        WorkTransaction committed = begin();
        committed.commit();

        assertThat(rolledBack.end()).isEqualTo(End.ROLLED_BACK);
        assertThat(committed.end()).isEqualTo(End.UNKNOWN);
    }

    @Test
    void withoutSynchronizationsNoStepCanJoinAndTheReasonIsNamed() {
        manager.setTransactionSynchronization(AbstractPlatformTransactionManager.SYNCHRONIZATION_NEVER);
        WorkTransaction transaction = begin();

        assertThat(transaction.obstacle(TransactionSettings.DEFAULT))
                .hasValueSatisfying(reason -> assertThat(reason).contains("leave out SYNCHRONIZATION_NEVER"));

        transaction.rollBack();
    }

    @Test
    void noStepCanJoinWhereTheTransactionIsSuspendedOrOver() {
        WorkTransaction transaction = begin();
        assertThat(transaction.obstacle(TransactionSettings.DEFAULT)).isEmpty();

        in(TransactionDefinition.PROPAGATION_REQUIRES_NEW, () -> assertIsElsewhere(transaction));
        in(TransactionDefinition.PROPAGATION_NOT_SUPPORTED, () -> assertIsElsewhere(transaction));
        assertThat(transaction.obstacle(TransactionSettings.DEFAULT)).isEmpty();
        transaction.commit();

        assertIsElsewhere(transaction);
    }

    private static void assertIsElsewhere(WorkTransaction transaction) {
        assertThat(transaction.obstacle(TransactionSettings.DEFAULT))
                .hasValueSatisfying(reason -> assertThat(reason).contains("suspended or over"));
    }

    private WorkTransaction begin() {
        return transactions.begin("order", TransactionSettings.DEFAULT, Duration.ofMinutes(1));
    }

    private void setRollbackOnly() {
        new TransactionTemplate(manager).executeWithoutResult(status -> status.setRollbackOnly());
    }

    private void in(int propagation, Runnable work) {
        new TransactionTemplate(manager, new DefaultTransactionDefinition(propagation))
                .executeWithoutResult(status -> work.run());
    }
}
