package io.idempotency.core;

import java.time.Duration;

/** A verb that was never sent to the store, because so many others were under way for as long as it might wait. */
final class StoreSaturatedException extends IdempotencyStoreException {

    private static final long serialVersionUID = 1L;

    private final boolean storeSilent;

    /** @param storeSilent whether the store answered none of the others meanwhile */
    StoreSaturatedException(String verb, Duration timeout, boolean storeSilent) {
        super(storeSilent ? silent(verb, timeout) : busy(verb, timeout), null);
        this.storeSilent = storeSilent;
    }

    private static String silent(String verb, Duration timeout) {
        return "The store answered none of the %d calls that are under way within %s: %s"
                .formatted(StoreThreads.MAX_THREADS, timeout, verb);
    }

    private static String busy(String verb, Duration timeout) {
        return ("%d calls to the store are under way and left no room for another within %s: %s. Admit fewer requests at"
                        + " the same time, or let the store take more, as by idempotency.jdbc.pool-size")
                .formatted(StoreThreads.MAX_THREADS, timeout, verb);
    }

    /** Says whether the store has failed, and not only the room for calls to it. */
    boolean isStoreSilent() {
        return storeSilent;
    }
}
