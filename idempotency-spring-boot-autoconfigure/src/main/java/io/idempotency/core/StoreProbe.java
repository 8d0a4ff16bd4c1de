package io.idempotency.core;

import java.time.Duration;
import java.util.List;

/** Asks a store for a sign of life, within a time limit, as health checks do. Thread-safe. */
public final class StoreProbe {

    /** Of no operation: there is no record of it. */
    private static final Identity NOBODY = Identity.of("", "probe", null, "");

    private final TimeLimitedStore store;

    /** @param timeout how long the store may be silent before it counts as unreachable */
    public StoreProbe(IdempotencyStore store, Duration timeout) {
        this.store = new TimeLimitedStore(store, timeout);
    }

    /**
     * Reads from the store, then asks it for its warnings.
     *
     * @return what endangers the records; see {@link StoreWarnings#warnings()}
     * @throws IdempotencyStoreException if the store cannot be reached or is silent
     */
    public List<String> ask() {
        store.find(NOBODY);
        return store.warnings();
    }
}
