package io.idempotency.core;

import java.time.Duration;

/** Opens the transactions of transactional operations, on the thread that calls them. Thread-safe. */
public interface WorkTransactions {

    /** For applications without transactions. */
    WorkTransactions NONE = (operation, settings, timeout) -> {
        throw new IllegalStateException(
                "There is no transaction manager; add spring-boot-starter-jdbc or" + " spring-boot-starter-data-jpa");
    };

    /**
     * Opens a transaction, which may wait for a connection, as long as the pool of the application says.
     *
     * @param operation the name for logs
     * @param timeout how long the transaction may last, at least one second; parts of a second are rounded up
     * @throws IllegalStateException if there is no such transaction manager; the message names the remedy
     * @throws IdempotencyStoreException if there is no connection, or it fails
     */
    WorkTransaction begin(String operation, TransactionSettings settings, Duration timeout);

    /** A transaction that is open on the calling thread. Every method throws what the transaction manager throws. */
    interface WorkTransaction {

        /**
         * Says whether what the calling thread writes in the database belongs to this transaction: it is not suspended, as
         * by one that requires a new transaction, and not over.
         */
        boolean isCurrent();

        /** Writes what is still held back in memory, so that values have what the database gives them. */
        void flush();

        /**
         * Commits. Where it fails, the transaction is over all the same, and nobody knows whether it was committed.
         */
        void commit();

        /** Undoes what was done in the transaction, and ends it. */
        void rollBack();
    }
}
