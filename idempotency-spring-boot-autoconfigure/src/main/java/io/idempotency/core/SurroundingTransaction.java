package io.idempotency.core;

import java.util.function.Consumer;

/**
 * The transaction that is open on the calling thread when an operation ends inside it. Its end decides whether the
 * operation's effects exist, so an outcome is recorded after the commit and a key is released after a rollback. A failure
 * that is an outcome, and a hold, are recorded after a rollback too: they say nothing about effects in the transaction.
 */
public interface SurroundingTransaction {

    /** For applications without transactions. */
    SurroundingTransaction NONE = new SurroundingTransaction() {
        @Override
        public boolean isActive() {
            return false;
        }

        @Override
        public void afterCompletion(Consumer<End> callback) {
            throw new IllegalStateException("No transaction is active");
        }
    };

    /** How a transaction ended. */
    enum End {
        COMMITTED,
        ROLLED_BACK,

        /**
         * The commit failed on a connection that still works, so that the database is taken to have refused it. What throws
         * inside the commit after it took effect looks alike.
         */
        REFUSED,

        /** The connection broke before it brought the reply to the commit: nobody knows. */
        UNKNOWN
    }

    /** Says whether a transaction is open on the calling thread. */
    boolean isActive();

    /**
     * Calls back once, when the transaction of the calling thread has ended, or what was done in it so far is undone by a
     * rollback to a savepoint that is older.
     */
    void afterCompletion(Consumer<End> callback);
}
