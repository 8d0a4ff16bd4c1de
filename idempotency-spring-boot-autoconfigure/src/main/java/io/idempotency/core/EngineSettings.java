package io.idempotency.core;

import java.time.Duration;

/**
 * What holds for all operations of an application.
 *
 * @param namespace tells applications apart that share a store
 * @param storeTimeout how long a store may be silent before it counts as unreachable
 * @param maxWaiters how many duplicates may wait at the same time; the rest is refused at once
 */
public record EngineSettings(String namespace, Duration storeTimeout, int maxWaiters) {

    /**
     * @throws IllegalArgumentException if the time-out is not positive or the number of waiters is negative
     */
    public EngineSettings {
        if (storeTimeout.isNegative() || storeTimeout.isZero()) {
            throw new IllegalArgumentException("The store-timeout is " + storeTimeout + ", but must be positive");
        }
        if (maxWaiters < 0) {
            throw new IllegalArgumentException("max-waiters is " + maxWaiters + ", but must not be negative");
        }
    }
}
