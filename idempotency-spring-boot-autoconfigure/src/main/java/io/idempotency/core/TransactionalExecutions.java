package io.idempotency.core;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Executes operations whose record and rows are written in one transaction, so that both are there or neither is.
 *
 * <ol>
 *   <li>The claim is committed already, and renewed while the call waits for a connection.
 *   <li>The first statement of the transaction locks the record by its owner, which is the lease from then on.
 *   <li>The work runs. Its outcome is recorded in the transaction, which is committed.
 *   <li>Whatever is thrown before the commit rolls back. Then the attempt ends as the policy says.
 *   <li>A commit that fails may have happened. The record tells; where it cannot be asked, the store has failed.
 * </ol>
 */
final class TransactionalExecutions {

    private static final Logger logger = LoggerFactory.getLogger(TransactionalExecutions.class);

    private final LockedTransactions transactions;

    private final SurroundingTransaction surrounding;

    private final OutcomeRecorder recorder;

    private final Listeners listeners;

    TransactionalExecutions(
            LockedTransactions transactions,
            SurroundingTransaction surrounding,
            OutcomeRecorder recorder,
            Listeners listeners) {
        this.transactions = transactions;
        this.surrounding = surrounding;
        this.recorder = recorder;
        this.listeners = listeners;
    }

    /**
     * Refuses a call that could not be executed, before anything is claimed for it.
     *
     * @throws IllegalStateException if a transaction is open, or the store is of the wrong kind
     */
    void require(String operation) {
        if (surrounding.isActive()) {
            throw new IllegalStateException(
                    ("Operation %s is transactional and opens its own transaction, but one is open already; call it"
                                    + " outside of transactions, or do without transactional")
                            .formatted(operation));
        }
        transactions.obstacleOfStore().ifPresent(obstacle -> {
            throw LockedTransactions.cannotRun(subject(operation), obstacle);
        });
    }

    private static String subject(String operation) {
        return "Operation " + operation;
    }

    /** Executes a claimed call. What is thrown before the work has begun means that nothing ran. */
    <T extends @Nullable Object, E extends Throwable> IdempotentResult<T> execute(
            ClaimedExecution execution,
            IdempotencyRequest request,
            OutcomeCodec<T> codec,
            IdempotentWork<? extends T, E> work)
            throws E {
        LockedTransaction transaction = open(execution, request);
        return execution
                .steps()
                .whileLocked(transaction, () -> executeIn(transaction, execution, request, codec, work));
    }

    private <T extends @Nullable Object, E extends Throwable> IdempotentResult<T> executeIn(
            LockedTransaction transaction,
            ClaimedExecution execution,
            IdempotencyRequest request,
            OutcomeCodec<T> codec,
            IdempotentWork<? extends T, E> work)
            throws E {
        T value;
        try {
            value = execution.call(work);
            transaction.endWork();
        } catch (Throwable failure) {
            transaction.rollBack(failure);
            execution.lease().unlocked();
            execution.fail(failure);
            throw failure;
        }
        Outcome outcome = ReplayableOutcomes.encode(request.key().subject(), codec, value);
        record(execution, request.policy(), outcome, transaction);
        commit(execution, request.policy(), outcome, transaction);
        return new IdempotentResult<>(value, false, execution.attempt());
    }

    private LockedTransaction open(ClaimedExecution execution, IdempotencyRequest request) {
        try {
            return openLocked(execution.lease(), request);
        } catch (Throwable failure) {
            execution.release();
            if (failure instanceof IdempotencyException refusal) {
                Identity identity = execution.lease().claim().identity();
                logger.debug("Operation {} does not run: {}", identity, refusal.getMessage());
                listeners.tell(listener -> listener.callRefused(identity, refusal));
            }
            throw failure;
        }
    }

    private LockedTransaction openLocked(Lease lease, IdempotencyRequest request) {
        OperationPolicy policy = request.policy();
        return transactions
                .open(
                        lease,
                        subject(request.key().operation()),
                        policy.transaction().orElseThrow())
                .orElseThrow(
                        () -> new OperationInProgressException(lease.claim().identity(), policy.lease()));
    }

    private void record(
            ClaimedExecution execution, OperationPolicy policy, Outcome outcome, LockedTransaction transaction) {
        Claim claim = execution.lease().claim();
        try {
            transaction.requireNoFailedStep();
            LockedTransactions.requireOwned(
                    transactions.store().completeInTransaction(claim, outcome, policy.retention()));
        } catch (Throwable failure) {
            transaction.rollBack(failure);
            execution.lease().unlocked();
            execution.releaseOrHold();
            throw failure;
        }
    }

    private void commit(
            ClaimedExecution execution, OperationPolicy policy, Outcome outcome, LockedTransaction transaction) {
        Lease lease = execution.lease();
        try {
            transaction.commit();
        } catch (Throwable failure) {
            lease.unlocked();
            execution.over();
            switch (recorder.endUnlessCommitted(lease, policy, outcome)) {
                case COMMITTED -> LockedTransaction.logCommitted(lease.claim().identity(), failure);
                case ROLLED_BACK, REFUSED -> throw failure;
                case UNKNOWN ->
                    throw new IdempotencyStoreException(
                            "Nobody can tell yet whether the transaction of operation %s was committed; call again with the"
                                            .formatted(lease.claim().identity())
                                    + " same key to learn it",
                            failure);
            }
            return;
        }
        lease.unlocked();
        execution.over();
        recorder.committed(lease.claim(), outcome);
    }
}
