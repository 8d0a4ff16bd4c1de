package io.idempotency.core;

import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Finds out what became of a commit that failed. A database that refuses a commit answers so, and its connection goes on
 * working; where the answer was lost, so was the connection.
 */
public interface CommitProbe {

    /** For applications whose transactions have no connections that could be looked at. */
    CommitProbe NONE = Optional::empty;

    /**
     * Gets hold of the connections of the transaction on the calling thread, which is about to be committed. Never throws.
     *
     * @return says, once the commit has failed and before the connections are given back, whether the database has answered
     *     it, so that all is rolled back; otherwise it may have been committed, also where this throws. Empty where the
     *     transaction has no connection
     */
    Optional<BooleanSupplier> connectionsOfTransaction();
}
