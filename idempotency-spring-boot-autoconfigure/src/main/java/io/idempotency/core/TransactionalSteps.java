package io.idempotency.core;

import io.idempotency.core.WorkTransactions.WorkTransaction;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Runs steps in transactions of their own, in which their records are written too, so that both are there or neither is.
 *
 * <ol>
 *   <li>The first statement of the transaction locks the record of the operation by its owner, which is the lease from then
 *       on. A stale owner is told before anything runs.
 *   <li>The work runs, and the step is recorded in the transaction, which is committed.
 *   <li>Whatever is thrown before the commit rolls back.
 *   <li>A commit that fails may have happened. The next attempt, whose claim waits for the end of the transaction, gets the
 *       step if it has.
 * </ol>
 */
record TransactionalSteps(LockedTransactions transactions) {

    /**
     * Runs a step.
     *
     * @param unknown told where the commit fails, so that nobody knows whether the step is recorded
     * @throws ClaimLostException if another attempt has taken over; nothing ran
     */
    <T extends @Nullable Object, E extends Throwable> T run(
            Lease lease,
            StepIdentity step,
            TransactionSettings settings,
            IdempotentWork<T, E> work,
            Function<? super T, StepRecord> record,
            Consumer<StepIdentity> unknown)
            throws E {
        Claim claim = lease.claim();
        WorkTransaction transaction = transactions
                .open(lease, "Step '%s'".formatted(step.name()), settings)
                .orElseThrow(() -> new ClaimLostException(claim.identity(), claim.attempt()));
        try {
            T value = workAndRecord(claim, transaction, work, record);
            commit(step, transaction, unknown);
            return value;
        } finally {
            transactions.renewAgain(lease);
        }
    }

    private <T extends @Nullable Object, E extends Throwable> T workAndRecord(
            Claim claim, WorkTransaction transaction, IdempotentWork<T, E> work, Function<? super T, StepRecord> record)
            throws E {
        try {
            T value = work.run();
            transaction.flush();
            record(claim, record.apply(value));
            return value;
        } catch (Throwable failure) {
            LockedTransactions.rollBack(transaction, failure);
            throw failure;
        }
    }

    /**
     * Records a step in the transaction that is open on the calling thread and keeps the record locked.
     *
     * @throws IdempotencyStoreException if it does not
     */
    void record(Claim claim, StepRecord step) {
        if (transactions.store().recordStepInTransaction(claim, step) == Ownership.LOST) {
            throw new IdempotencyStoreException(
                    "The record was lost in the middle of its transaction, as by a commit inside the work", null);
        }
    }

    private static void commit(StepIdentity step, WorkTransaction transaction, Consumer<StepIdentity> unknown) {
        try {
            transaction.commit();
        } catch (Throwable failure) {
            unknown.accept(step);
            throw failure;
        }
    }
}
