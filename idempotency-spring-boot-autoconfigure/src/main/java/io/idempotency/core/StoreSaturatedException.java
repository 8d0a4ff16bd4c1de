package io.idempotency.core;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A verb whose time limit was over because of all the others: either it was never sent, since so many were under way, or it
 * was, and the store answered others.
 */
final class StoreSaturatedException extends IdempotencyStoreException {

    private static final long serialVersionUID = 1L;

    private static final String MAKE_ROOM =
            "Admit fewer requests at the same time, or let the store take more, as by idempotency.jdbc.pool-size";

    private final boolean storeSilent;

    private final boolean sent;

    private StoreSaturatedException(String message, @Nullable Throwable cause, boolean storeSilent, boolean sent) {
        super(message, cause);
        this.storeSilent = storeSilent;
        this.sent = sent;
    }

    /** @param storeSilent whether the store answered none of the others meanwhile */
    static StoreSaturatedException notSent(String verb, Duration timeout, boolean storeSilent) {
        return new StoreSaturatedException(
                storeSilent ? silent(verb, timeout) : busy(verb, timeout), null, storeSilent, false);
    }

    /** The store has answered others meanwhile. */
    static StoreSaturatedException notAnswered(String verb, Duration timeout, Throwable cause) {
        return new StoreSaturatedException(
                "The store did not answer within %s, in which it answered others: %s. %s"
                        .formatted(timeout, verb, MAKE_ROOM),
                cause,
                false,
                true);
    }

    private static String silent(String verb, Duration timeout) {
        return "The store answered none of the %d calls that are under way within %s: %s"
                .formatted(StoreThreads.MAX_THREADS, timeout, verb);
    }

    private static String busy(String verb, Duration timeout) {
        return "%d calls to the store are under way and left no room for another within %s: %s. %s"
                .formatted(StoreThreads.MAX_THREADS, timeout, verb, MAKE_ROOM);
    }

    /** Says whether the store has failed, and not only the room for calls to it. */
    boolean isStoreSilent() {
        return storeSilent;
    }

    /** Says whether the store may have applied the verb. */
    boolean wasSent() {
        return sent;
    }
}
