package io.idempotency.core;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Makes owner tokens: a random one, and those that follow it. To draw each by itself takes as long as a claim in memory, and
 * tokens are told apart, not kept secret: who can send one to the store can read it there. A random one is followed for a
 * tenth of a second at the most, so that two JVMs that were restored from one image do not use the same ones. Thread-safe.
 */
final class OwnerTokens {

    private static final int LONGEST_FOLLOWED_MILLIS = 100;

    private final LongSupplier random;

    private final LongSupplier millis;

    private volatile Series newest;

    /**
     * @param random gives 64 bits that no other JVM draws
     * @param millis the time of day
     */
    OwnerTokens(LongSupplier random, LongSupplier millis) {
        this.random = random;
        this.millis = millis;
        this.newest = begin(millis.getAsLong());
    }

    private Series begin(long now) {
        return new Series(random.getAsLong(), new AtomicLong(random.getAsLong()), now);
    }

    /** Returns a token that nobody else has. */
    OwnerToken next() {
        long now = millis.getAsLong();
        Series series = newest;
        if (series.isTooOld(now)) {
            series = begin(now);
            newest = series;
        }
        return series.next();
    }

    /** @param leastSignificant the second half of the token that is next */
    private record Series(long mostSignificant, AtomicLong leastSignificant, long begunAt) {

        boolean isTooOld(long now) {
            return Math.abs(now - begunAt) > LONGEST_FOLLOWED_MILLIS;
        }

        OwnerToken next() {
            return new OwnerToken(mostSignificant, leastSignificant.getAndIncrement());
        }
    }
}
