package io.idempotency.benchmarks.http;

import java.time.Duration;

/**
 * What one candidate did in one round.
 *
 * @param requests how many requests were answered
 * @param duration how long that took
 * @param processorTime what the server used of the processors
 */
record Measurement(int requests, Duration duration, Duration processorTime) {

    double requestsPerSecond() {
        return requests * 1e9 / duration.toNanos();
    }

    /** Returns the microseconds of a processor that the server used for one request. */
    double microsPerRequest() {
        return processorTime.toNanos() / 1e3 / requests;
    }
}
