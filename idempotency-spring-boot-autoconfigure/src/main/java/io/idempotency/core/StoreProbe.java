package io.idempotency.core;

import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks a store for a sign of life, within a time limit, as health checks do. Thread-safe. */
public final class StoreProbe {

    /** Of no operation: there is no record of it. */
    private static final Identity NOBODY = Identity.of("", "probe", null, "");

    private static final Logger logger = LoggerFactory.getLogger(StoreProbe.class);

    private final TimeLimitedStore store;

    /** @param timeout how long the store may be silent before it counts as unreachable */
    public StoreProbe(IdempotencyStore store, Duration timeout) {
        this.store = new TimeLimitedStore(store, timeout);
        // Checks are rare, and nobody closes a probe.
        this.store.keepNoIdleThreads();
    }

    /**
     * Reads from the store, then asks it for its warnings. A store that answers but cannot tell them has none.
     *
     * @return what endangers the records; see {@link StoreWarnings#warnings()}
     * @throws IdempotencyStoreException if the store cannot be reached or is silent
     */
    public List<String> ask() {
        store.find(NOBODY);
        try {
            return store.warnings();
        } catch (IdempotencyStoreException untold) {
            logger.debug("The store does not tell what endangers its records", untold);
            return List.of();
        }
    }
}
