package io.idempotency.core;

import java.util.List;

/**
 * What a store can say about a set-up of its server that endangers records. A store that has something to say implements
 * it beside {@link IdempotencyStore}.
 */
public interface StoreWarnings {

    /**
     * Asks the server how it is set up.
     *
     * @return a sentence for each danger, with its remedy and without any key or value; empty where there is none or
     *     nothing is known
     * @throws IdempotencyStoreException if the server cannot be reached
     */
    List<String> warnings();
}
