package io.idempotency.sample.page;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One thing that happened to a key.
 *
 * @param number counts up by one
 * @param key what tells keys apart and says nothing of them
 * @param attempt which attempt did it; 0 where it was a call that did not run
 * @param step its step; {@code null} where it is about no step
 */
record TimelineEntry(
        long number,
        Instant at,
        String operation,
        String key,
        Kind kind,
        long attempt,
        @Nullable String step) {

    /** What can happen. */
    enum Kind {
        STARTED,
        TAKEN_OVER,
        WAITING,
        STEP_STARTED,
        STEP_RECORDED,
        STEP_SKIPPED,
        STEP_FAILED,
        RECORDED,
        RELEASED,
        HELD,
        LOST,
        REPLAYED,
        REFUSED_IN_PROGRESS,
        REFUSED_OTHER_CONTENT,
        REFUSED_WITHOUT_STORE,
        REFUSED
    }
}
