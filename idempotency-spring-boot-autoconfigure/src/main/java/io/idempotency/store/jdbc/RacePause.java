package io.idempotency.store.jdbc;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** The pause of somebody who lost a race: short, and of random length, so that losers do not meet again. */
final class RacePause {

    private static final long SHORTEST = TimeUnit.MILLISECONDS.toNanos(1);

    private static final long LONGEST = TimeUnit.MILLISECONDS.toNanos(5);

    private RacePause() {}

    static void pause() {
        LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(SHORTEST, LONGEST));
    }
}
