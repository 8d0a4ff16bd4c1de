package io.idempotency.faults;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One request as its sender saw it. It took effect at some moment between two others, or, where it failed, at any moment
 * after it was sent, or never.
 *
 * @param sentAt on the monotonic clock of the test, in nanoseconds
 * @param answeredAt on the same clock; {@link #NEVER} where there was no answer
 * @param answer {@code null} where the store failed
 * @param contended whether another request about the same identity was under way at the same time
 * @param afterSteps whether a step may have been recorded or forgotten before, whoever owned the record then
 */
record HistoryEvent(
        HistoryRequest request,
        long sentAt,
        long answeredAt,
        @Nullable Object answer,
        boolean contended,
        boolean afterSteps) {

    static final long NEVER = Long.MAX_VALUE;

    boolean isAnswered() {
        return answer != null;
    }

    boolean overlaps(HistoryEvent other) {
        return sentAt <= other.answeredAt && other.sentAt <= answeredAt;
    }

    /** Returns the same event as one of a whole history. */
    HistoryEvent among(List<HistoryEvent> all) {
        boolean met = all.stream().anyMatch(other -> other != this && overlaps(other));
        boolean stepped =
                all.stream().anyMatch(other -> other.request.stepper().isPresent() && other.sentAt <= answeredAt);
        return new HistoryEvent(request, sentAt, answeredAt, answer, met, stepped);
    }

    /** Returns the moments that are so much later than this event. */
    Moments later(long nanos) {
        return new Moments(sentAt + nanos, answeredAt == NEVER ? NEVER : answeredAt + nanos);
    }

    /**
     * When something may have been, or will be.
     *
     * @param from the earliest moment
     * @param to the latest
     */
    record Moments(long from, long to) {

        /** What a clock of a server and the one of the test may differ by over the length of a history, and roundings. */
        private static final long TOLERANCE = 5_000_000;

        static final Moments NEVER_COMES = new Moments(NEVER, NEVER);

        /** Says whether a store may have found, during an event, that this moment had not come yet. */
        boolean mayBeAfter(HistoryEvent event) {
            return to == NEVER || event.sentAt - TOLERANCE < to;
        }

        /** Says whether a store may have found, during an event, that this moment had come. */
        boolean mayBeBefore(HistoryEvent event) {
            return from != NEVER && (event.answeredAt == NEVER || event.answeredAt + TOLERANCE >= from);
        }

        /** Says whether a store may have found, during an event, that it was so long until this moment. */
        boolean mayBeAwayFrom(HistoryEvent event, long nanos) {
            return event.sentAt + nanos - TOLERANCE <= to && from <= event.answeredAt + nanos + TOLERANCE;
        }
    }
}
