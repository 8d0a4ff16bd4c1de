package io.idempotency.core;

import io.idempotency.core.WorkTransactions.WorkTransaction;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens transactions whose first statement locks the record of a claim by its owner. From then on the lock is the lease:
 * nothing is renewed, and nobody takes over until the transaction ends, by the death of this JVM at the latest.
 */
final class LockedTransactions {

    private static final Logger logger = LoggerFactory.getLogger(LockedTransactions.class);

    /** How often a transaction is begun that finds the record being written just now, for a renewal. */
    private static final int MAX_TRIES = 6;

    private static final Duration SHORTEST = Duration.ofSeconds(1);

    private final @Nullable TransactionalStore store;

    private final WorkTransactions transactions;

    private final LeaseRenewer renewer;

    LockedTransactions(IdempotencyStore store, WorkTransactions transactions, LeaseRenewer renewer) {
        this.store = store instanceof TransactionalStore transactional ? transactional : null;
        this.transactions = transactions;
        this.renewer = renewer;
    }

    /** Opens such a transaction and rolls it back, to say why nothing can run in one; empty where something can. */
    Optional<String> obstacle(TransactionSettings settings) {
        if (store == null) {
            return obstacleOfStore();
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

    /** Says why the store takes part in no transaction at all; empty where it does in some. */
    Optional<String> obstacleOfStore() {
        return store == null
                ? Optional.of("The store does not keep its records in the database of the application; set"
                        + " idempotency.store=jdbc")
                : Optional.empty();
    }

    /** Returns the store, which takes part in the transaction of the calling thread. */
    TransactionalStore store() {
        if (store == null) {
            throw new IllegalStateException(obstacleOfStore().orElseThrow());
        }
        return store;
    }

    /**
     * Opens a transaction that locks the record.
     *
     * @param subject what is to run in it, for messages, such as {@code Operation order}
     * @return empty where the claim is lost, and nothing is open
     * @throws IllegalStateException if the store takes no part in such a transaction
     * @throws IdempotencyStoreException if there is no connection, or it fails
     */
    Optional<LockedTransaction> open(Lease lease, String subject, TransactionSettings settings) {
        for (int tries = 0; tries < MAX_TRIES; tries++) {
            WorkTransaction transaction = begin(subject, settings, Duration.ofNanos(lease.nanosUntilMaxDuration()));
            RecordLock answer = lock(transaction, lease, subject);
            if (answer == RecordLock.LOCKED) {
                lease.locked();
                renewer.forget(lease);
                return Optional.of(new LockedTransaction(transaction, subject));
            }
            abandon(transaction);
            if (answer == RecordLock.LOST) {
                renewer.lost(lease);
                return Optional.empty();
            }
        }
        throw new IdempotencyStoreException(
                "The record could not be locked, since each of %d transactions found it being written"
                        .formatted(MAX_TRIES),
                null);
    }

    /** What the store has answered holds, whatever becomes of a transaction in which nothing was done. */
    private static void abandon(WorkTransaction transaction) {
        try {
            transaction.rollBack();
        } catch (RuntimeException broken) {
            logger.debug("A transaction without work ends with its connection", broken);
        }
    }

    /**
     * Opens a transaction that locks nothing, for work without a claim.
     *
     * @param maxDuration how long it may last
     * @throws IllegalStateException if the store takes no part in transactions, so that none is meant to be open
     * @throws IdempotencyStoreException if there is no connection, or it fails
     */
    LockedTransaction openUnlocked(String subject, TransactionSettings settings, Duration maxDuration) {
        obstacleOfStore().ifPresent(obstacle -> {
            throw cannotRun(subject, obstacle);
        });
        return new LockedTransaction(begin(subject, settings, maxDuration), subject);
    }

    private WorkTransaction begin(String subject, TransactionSettings settings, Duration maxDuration) {
        Duration timeout = settings.timeout()
                .filter(shorter -> shorter.compareTo(maxDuration) < 0)
                .orElse(maxDuration);
        return transactions.begin(subject, settings, timeout.compareTo(SHORTEST) < 0 ? SHORTEST : timeout);
    }

    private RecordLock lock(WorkTransaction transaction, Lease lease, String subject) {
        TransactionalStore locking = store();
        try {
            locking.obstacle().ifPresent(obstacle -> {
                throw cannotRun(subject, obstacle);
            });
            return locking.lock(lease.claim());
        } catch (Throwable failure) {
            new LockedTransaction(transaction, subject).rollBack(failure);
            throw failure;
        }
    }

    /**
     * Takes the answer to a write in a transaction that has locked the record.
     *
     * @throws IdempotencyStoreException if the record is not locked any more
     */
    static void requireOwned(Ownership answer) {
        if (answer == Ownership.LOST) {
            throw new IdempotencyStoreException(
                    "The record was lost in the middle of its transaction, as by a commit inside the work", null);
        }
    }

    static IllegalStateException cannotRun(String subject, String obstacle) {
        return new IllegalStateException("%s is transactional, but cannot run in a transaction with its record. %s"
                .formatted(subject, obstacle));
    }

    /**
     * The lock was the lease. Now that it is gone, the claim is renewed again. The store knows of no lease but the one before
     * the lock, and the one that a committed transaction has written.
     */
    void renewAgain(Lease lease) {
        try {
            renewer.watchAgain(lease);
        } finally {
            lease.unlocked();
        }
    }
}
