package io.idempotency.store.jdbc;

import io.idempotency.core.IdempotencyStoreException;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Keeps one connection of a pool for renewals, which must not wait for a flood of other verbs: these get the rest, and who
 * came first goes first. Where a pool has a single connection, a renewal competes for it with one verb at a time, and not with
 * all those that wait. Thread-safe.
 */
final class RenewalReserve {

    private final Semaphore rest;

    private final Duration timeout;

    private RenewalReserve(int connections, Duration timeout) {
        this.rest = new Semaphore(connections, true);
        this.timeout = timeout;
    }

    static RenewalReserve in(JdbcStoreSettings settings) {
        return new RenewalReserve(Math.max(1, settings.poolSize() - 1), settings.timeout());
    }

    /** For connections that others use as well, so that there is no telling how many are free. */
    static RenewalReserve none() {
        return new RenewalReserve(Integer.MAX_VALUE, Duration.ZERO);
    }

    /**
     * Lets a verb that is no renewal have a connection when it is its turn.
     *
     * @param verb for messages
     * @throws IdempotencyStoreException if its turn does not come within the time limit, or the calling thread is
     *     interrupted while it waits
     */
    <T> T leaving(String verb, Supplier<T> call) {
        if (!isItsTurn(verb)) {
            throw new IdempotencyStoreException(
                    ("Other calls had all connections of the store's pool for %s: %s. Admit fewer requests at the same time, "
                                    + "or raise idempotency.jdbc.pool-size")
                            .formatted(timeout, verb),
                    null);
        }
        try {
            return call.get();
        } finally {
            rest.release();
        }
    }

    /** An interrupted thread that need not wait goes on, as it does at the pool. */
    private boolean isItsTurn(String verb) {
        try {
            return (!rest.hasQueuedThreads() && rest.tryAcquire())
                    || rest.tryAcquire(timeout.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IdempotencyStoreException("Interrupted while waiting for a connection: " + verb, interrupted);
        }
    }
}
