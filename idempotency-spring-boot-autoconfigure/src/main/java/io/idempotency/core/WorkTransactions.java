package io.idempotency.core;

import java.time.Duration;
import java.util.Optional;

/** Opens the transactions of transactional operations, on the thread that calls them. Thread-safe. */
public interface WorkTransactions {

    /** For applications without transactions. */
    WorkTransactions NONE = (operation, settings, timeout) -> {
        throw new IllegalStateException(
                "There is no transaction manager; add spring-boot-starter-jdbc or spring-boot-starter-data-jpa");
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
         * Says why a step cannot be done in this transaction on the calling thread, as one that asks for another manager,
         * or where it is suspended or over: the reason and the remedy, as the end of a sentence. Empty where it can.
         *
         * @param settings what the step asks for
         */
        Optional<String> obstacle(TransactionSettings settings);

        /** Writes what is still held back in memory, so that values have what the database gives them. */
        void flush();

        /** Commits. Where it fails, the transaction is over all the same, and {@link #end} says what became of it. */
        void commit();

        /** Returns how the transaction has ended, as far as is known. */
        SurroundingTransaction.End end();

        /** Undoes what was done in the transaction, and ends it. */
        void rollBack();
    }
}
