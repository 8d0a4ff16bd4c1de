package io.idempotency.core;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** What is tried once more when an application stops. Whoever stops it waits for that, so it has a time limit. */
final class LastTries {

    /** For those who are interrupted to say what they leave. */
    private static final long FAREWELL = TimeUnit.SECONDS.toMillis(1);

    private LastTries() {}

    /** Runs the tries on a thread of their own, which is interrupted when the limit is over, or its caller is interrupted. */
    static void run(Duration limit, Runnable tries) {
        Thread thread = new DaemonThreads("idempotency-last-tries").newThread(tries);
        thread.start();
        boolean interrupted = !hasJoined(thread, limit.toMillis());
        if (thread.isAlive()) {
            thread.interrupt();
            interrupted |= !hasJoined(thread, FAREWELL);
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns false if the calling thread is interrupted meanwhile. */
    private static boolean hasJoined(Thread thread, long milliseconds) {
        try {
            thread.join(milliseconds);
            return true;
        } catch (InterruptedException interrupted) {
            return false;
        }
    }
}
