package io.idempotency.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.function.Supplier;

/**
 * Whether a store that does not answer is given up within its own time limit. The client libraries are set to wait for far
 * longer, so that what they decide by themselves comes too late.
 */
final class Promptness {

    static final Duration STORE_TIMEOUT = Duration.ofSeconds(2);

    /** What the client libraries of these tests wait for an answer, or for a connection. */
    static final Duration CLIENT_TIMEOUT = Duration.ofSeconds(60);

    /** Until a thread goes on, on a machine that is busy with other things. */
    private static final Duration SLACK = Duration.ofSeconds(15);

    private Promptness() {}

    /** Calls what waits once for a store with {@link #STORE_TIMEOUT}, and asserts that it waits no longer than that. */
    static <T> T promptly(Supplier<T> call) {
        long begin = System.nanoTime();
        T result = call.get();
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(STORE_TIMEOUT.plus(SLACK));
        return result;
    }
}
