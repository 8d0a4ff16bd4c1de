package io.idempotency.core;

import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks a store for a sign of life, within a time limit, as health checks do. Thread-safe. */
public final class StoreProbe {

    /** Of no operation: there is no record of it, and a renewal changes nothing. */
    private static final Claim NOBODYS =
            new Claim(Identity.of("", "probe", null, ""), OwnerToken.random(), 1, Duration.ofSeconds(1));

    private static final Logger logger = LoggerFactory.getLogger(StoreProbe.class);

    private final TimeLimitedStore store;

    /** @param timeout how long the store may be silent before it counts as unreachable */
    public StoreProbe(IdempotencyStore store, Duration timeout) {
        this.store = new TimeLimitedStore(store, timeout);
        // Checks are rare, and nobody closes a probe.
        this.store.keepNoIdleThreads();
    }

    /**
     * Asks the store to renew a claim that nobody has, then for its warnings, and waits no longer than the time limit for
     * either. A renewal is what a store still answers when a flood of other verbs waits for it, and one that cannot write
     * does not. A store that answers but cannot tell its warnings has none.
     *
     * @return what endangers the records; see {@link StoreWarnings#warnings()}
     * @throws IdempotencyStoreException if the store cannot be reached, refuses to write or is silent
     */
    public List<String> ask() {
        store.renew(List.of(NOBODYS));
        try {
            return store.warnings();
        } catch (IdempotencyStoreException untold) {
            logger.debug("The store does not tell what endangers its records", untold);
            return List.of();
        }
    }
}
