package io.idempotency.core;

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
 *   <li>A commit that fails may have happened, whatever failed: this attempt does not do the step again. The next one, whose
 *       claim waits for the end of the transaction, gets the step if it has.
 * </ol>
 */
record TransactionalSteps(LockedTransactions transactions) {

    /** @param sentAt when the record was sent, by which the store starts the lease anew if it is committed */
    private record Recorded<T extends @Nullable Object>(T value, StepRecord step, long sentAt) {}

    /** Is told what a commit did, at once and before anything else can fail. */
    interface Commits {

        void committed(StepRecord step);

        /** The commit failed, so that nobody can be sure whether the step is recorded. */
        void unknown(StepIdentity step);
    }

    /**
     * Runs a step.
     *
     * @param access to the record, which the calling thread has {@linkplain RecordAccess#exclusive alone}
     * @throws ClaimLostException if another attempt has taken over; nothing ran
     */
    <T extends @Nullable Object, E extends Throwable> T run(
            Lease lease,
            RecordAccess access,
            StepIdentity step,
            TransactionSettings settings,
            IdempotentWork<T, E> work,
            Function<? super T, StepRecord> record,
            Commits commits)
            throws E {
        Claim claim = lease.claim();
        LockedTransaction transaction = transactions
                .open(lease, "Step '%s'".formatted(step.name()), settings)
                .orElseThrow(() -> new ClaimLostException(claim.identity(), claim.attempt()));
        access.lockedBy(transaction);
        try {
            Recorded<T> recorded = workAndRecord(lease, transaction, work, record);
            commit(step, transaction, commits);
            commits.committed(recorded.step());
            lease.renewed(recorded.sentAt());
            return recorded.value();
        } finally {
            transactions.renewAgain(lease);
        }
    }

    private <T extends @Nullable Object, E extends Throwable> Recorded<T> workAndRecord(
            Lease lease,
            LockedTransaction transaction,
            IdempotentWork<T, E> work,
            Function<? super T, StepRecord> record)
            throws E {
        return transaction.<T, Recorded<T>, E>run(work, value -> {
            StepRecord done = record.apply(value);
            long sentAt = lease.now();
            record(lease.claim(), done);
            return new Recorded<>(value, done, sentAt);
        });
    }

    /**
     * Records a step in the transaction that is open on the calling thread and keeps the record locked.
     *
     * @throws IdempotencyStoreException if it does not
     */
    void record(Claim claim, StepRecord step) {
        LockedTransactions.requireOwned(transactions.store().recordStepInTransaction(claim, step));
    }

    private static void commit(StepIdentity step, LockedTransaction transaction, Commits commits) {
        try {
            transaction.commit();
        } catch (Throwable failure) {
            if (!transaction.isRolledBack()) {
                commits.unknown(step);
            }
            throw failure;
        }
    }
}
