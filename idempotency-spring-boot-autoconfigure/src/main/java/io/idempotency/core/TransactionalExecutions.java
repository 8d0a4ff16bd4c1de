package io.idempotency.core;

import io.idempotency.core.WorkTransactions.WorkTransaction;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Executes operations whose record and rows are written in one transaction, so that both are there or neither is.
 *
 * <ol>
 *   <li>The claim is committed already, and renewed while the call waits for a connection.
 *   <li>The first statement of the transaction locks the record by its owner. From then on the lock is the lease: nothing is
 *       renewed, and nobody takes over until the transaction ends, by the death of this JVM at the latest.
 *   <li>The work runs. Its outcome is recorded in the transaction, which is committed.
 *   <li>Whatever is thrown before the commit rolls back. Then the attempt ends as the policy says.
 *   <li>A commit that fails may have happened. The record tells; where it cannot be asked, the store has failed.
 * </ol>
 */
final class TransactionalExecutions {

    private static final Logger logger = LoggerFactory.getLogger(TransactionalExecutions.class);

    /** How often a transaction is begun that finds the record being written just now, for a renewal. */
    private static final int MAX_TRIES = 6;

    private static final Duration SHORTEST = Duration.ofSeconds(1);

    private final @Nullable TransactionalStore store;

    private final WorkTransactions transactions;

    private final SurroundingTransaction surrounding;

    private final LeaseRenewer renewer;

    private final OutcomeRecorder recorder;

    private final Listeners listeners;

    private final LongSupplier nanoClock;

    TransactionalExecutions(
            IdempotencyStore store,
            WorkTransactions transactions,
            SurroundingTransaction surrounding,
            LeaseRenewer renewer,
            OutcomeRecorder recorder,
            Listeners listeners,
            LongSupplier nanoClock) {
        this.store = store instanceof TransactionalStore transactional ? transactional : null;
        this.transactions = transactions;
        this.surrounding = surrounding;
        this.renewer = renewer;
        this.recorder = recorder;
        this.listeners = listeners;
        this.nanoClock = nanoClock;
    }

    /** Opens such a transaction and rolls it back, to say why operations cannot run in one; empty where they can. */
    Optional<String> obstacle(TransactionSettings settings) {
        if (store == null) {
            return Optional.of(noSuchStore());
        }
        try {
            WorkTransaction transaction = transactions.begin("idempotency", settings, SHORTEST);
            try {
                return store.obstacle();
            } finally {
                transaction.rollBack();
            }
        } catch (RuntimeException failure) {
            return Optional.of(String.valueOf(failure.getMessage()));
        }
    }

    private static String noSuchStore() {
        return "The store does not keep its records in the database of the application; set idempotency.store=jdbc";
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
        if (store == null) {
            throw cannotRun(operation, noSuchStore());
        }
    }

    private static IllegalStateException cannotRun(String operation, String obstacle) {
        return new IllegalStateException(
                "Operation %s is transactional, but cannot run in a transaction with its record. %s"
                        .formatted(operation, obstacle));
    }

    /** Executes a claimed call. What is thrown before the work has begun means that nothing ran. */
    <T extends @Nullable Object, E extends Throwable> IdempotentResult<T> execute(
            ClaimedExecution execution,
            IdempotencyRequest request,
            OutcomeCodec<T> codec,
            IdempotentWork<? extends T, E> work)
            throws E {
        WorkTransaction transaction = open(execution, request);
        T value;
        try {
            value = execution.call(work);
            transaction.flush();
        } catch (Throwable failure) {
            rollBack(transaction, failure);
            renewAgain(execution.lease());
            execution.fail(failure);
            throw failure;
        }
        Outcome outcome = ReplayableOutcomes.encode(request.key().subject(), codec, value);
        record(execution, request.policy(), outcome, transaction);
        commit(execution, request.policy(), outcome, transaction);
        return new IdempotentResult<>(value, false, execution.attempt());
    }

    private WorkTransaction open(ClaimedExecution execution, IdempotencyRequest request) {
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

    private WorkTransaction openLocked(Lease lease, IdempotencyRequest request) {
        String operation = request.key().operation();
        for (int tries = 0; tries < MAX_TRIES; tries++) {
            WorkTransaction transaction = begin(lease, operation, request.policy());
            RecordLock answer = lock(transaction, lease, operation);
            if (answer == RecordLock.LOCKED) {
                lease.locked();
                renewer.forget(lease);
                return transaction;
            }
            transaction.rollBack();
            if (answer == RecordLock.LOST) {
                throw new OperationInProgressException(
                        lease.claim().identity(), request.policy().lease());
            }
        }
        throw new IdempotencyStoreException(
                "The record could not be locked, since each of %d transactions found it being written"
                        .formatted(MAX_TRIES),
                null);
    }

    private WorkTransaction begin(Lease lease, String operation, OperationPolicy policy) {
        TransactionSettings settings = policy.transaction().orElseThrow();
        Duration untilMaxDuration = Duration.ofNanos(lease.nanosUntilMaxDuration(nanoClock.getAsLong()));
        Duration timeout = settings.timeout()
                .filter(shorter -> shorter.compareTo(untilMaxDuration) < 0)
                .orElse(untilMaxDuration);
        return transactions.begin(operation, settings, timeout.compareTo(SHORTEST) < 0 ? SHORTEST : timeout);
    }

    private RecordLock lock(WorkTransaction transaction, Lease lease, String operation) {
        TransactionalStore locking = joining();
        try {
            locking.obstacle().ifPresent(obstacle -> {
                throw cannotRun(operation, obstacle);
            });
            return locking.lock(lease.claim());
        } catch (Throwable failure) {
            rollBack(transaction, failure);
            throw failure;
        }
    }

    private TransactionalStore joining() {
        if (store == null) {
            throw new IllegalStateException(noSuchStore());
        }
        return store;
    }

    private void record(
            ClaimedExecution execution, OperationPolicy policy, Outcome outcome, WorkTransaction transaction) {
        Claim claim = execution.lease().claim();
        try {
            if (joining().completeInTransaction(claim, outcome, policy.retention()) == Ownership.LOST) {
                throw new IdempotencyStoreException(
                        "The record was lost in the middle of its transaction, as by a commit inside the work", null);
            }
        } catch (Throwable failure) {
            rollBack(transaction, failure);
            renewAgain(execution.lease());
            execution.releaseOrHold();
            throw failure;
        }
    }

    private void commit(
            ClaimedExecution execution, OperationPolicy policy, Outcome outcome, WorkTransaction transaction) {
        Lease lease = execution.lease();
        try {
            transaction.commit();
        } catch (Throwable failure) {
            renewAgain(lease);
            switch (recorder.endUnlessCommitted(lease, policy, outcome)) {
                case COMMITTED -> logCommitted(lease.claim(), failure);
                case ROLLED_BACK -> throw failure;
                case UNKNOWN ->
                    throw new IdempotencyStoreException(
                            "Nobody can tell yet whether the transaction of operation %s was committed; call again with the"
                                            .formatted(lease.claim().identity())
                                    + " same key to learn it",
                            failure);
            }
            return;
        }
        recorder.committed(lease.claim(), outcome);
    }

    private static void logCommitted(Claim claim, Throwable failure) {
        logger.warn(
                "The commit of operation {} took effect, but ended with {}",
                claim.identity(),
                failure.getClass().getName());
        logger.debug("A commit took effect and failed", failure);
    }

    /** The lock was the lease. Now that it is gone, the claim is renewed until its end is written. */
    private void renewAgain(Lease lease) {
        lease.unlocked();
        renewer.watch(lease);
    }

    private static void rollBack(WorkTransaction transaction, Throwable failure) {
        try {
            transaction.rollBack();
        } catch (Throwable broken) {
            // The database rolls back what its connection leaves behind.
            if (broken != failure) {
                failure.addSuppressed(broken);
            }
        }
    }
}
