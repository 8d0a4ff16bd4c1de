package io.idempotency.core;

import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jspecify.annotations.Nullable;

/**
 * Lets the threads of one execution write its record: several at a time, or one whose transaction keeps it locked. The
 * others wait here, since a store would not let them wait for so long. Thread-safe.
 */
final class RecordAccess {

    /** Made for the first who needs it: most executions have no steps. */
    private volatile @Nullable ReentrantReadWriteLock lock;

    private final Lease lease;

    /** Belongs to the thread that has the write lock. */
    private @Nullable LockedTransaction transaction;

    RecordAccess(Lease lease) {
        this.lease = lease;
    }

    private ReentrantReadWriteLock lock() {
        ReentrantReadWriteLock made = lock;
        return made == null ? makeLock() : made;
    }

    private synchronized ReentrantReadWriteLock makeLock() {
        if (lock == null) {
            lock = new ReentrantReadWriteLock();
        }
        return lock;
    }

    /** Says whether the calling thread is doing what keeps the record locked. */
    boolean isLockedHere() {
        ReentrantReadWriteLock made = lock;
        return made != null && made.isWriteLockedByCurrentThread();
    }

    /** Returns the transaction by which the calling thread keeps the record locked; empty where it does not. */
    Optional<LockedTransaction> lockedHere() {
        return isLockedHere() ? Optional.ofNullable(transaction) : Optional.empty();
    }

    /** Says which transaction keeps the record locked, for the rest of the {@linkplain #exclusive exclusive} access. */
    void lockedBy(LockedTransaction transaction) {
        this.transaction = transaction;
    }

    /**
     * Writes once no transaction keeps the record locked.
     *
     * @throws IdempotencyStoreException if one does until the claim may last no longer; nothing was written
     */
    <T extends @Nullable Object, E extends Throwable> T shared(IdempotentWork<T, E> work) throws E {
        ReentrantReadWriteLock known = lock();
        return holding(known, known.readLock(), work);
    }

    /**
     * Does what keeps the record locked, once nobody else writes.
     *
     * @throws IdempotencyStoreException if somebody does until the claim may last no longer; nothing was done
     */
    <T extends @Nullable Object, E extends Throwable> T exclusive(IdempotentWork<T, E> work) throws E {
        ReentrantReadWriteLock known = lock();
        return holding(known, known.writeLock(), () -> {
            try {
                return work.run();
            } finally {
                transaction = null;
            }
        });
    }

    private <T extends @Nullable Object, E extends Throwable> T holding(
            ReentrantReadWriteLock known, Lock held, IdempotentWork<T, E> work) throws E {
        acquire(known, held);
        try {
            return work.run();
        } finally {
            held.unlock();
        }
    }

    /** Whoever waits goes first: many that write by turns would never leave the record to a transaction. */
    private static boolean mayPass(ReentrantReadWriteLock known) {
        return known.isWriteLockedByCurrentThread() || !known.hasQueuedThreads();
    }

    private void acquire(ReentrantReadWriteLock known, Lock held) {
        if (mayPass(known) && held.tryLock()) {
            return;
        }
        try {
            if (!held.tryLock(lease.nanosUntilMaxDuration(), TimeUnit.NANOSECONDS)) {
                throw new IdempotencyStoreException(
                        "The record is locked by the transaction of another step of the same execution", null);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IdempotencyStoreException(
                    "Interrupted while another step of the same execution keeps the record locked", interrupted);
        }
    }
}
