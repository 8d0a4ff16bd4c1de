package io.idempotency.store.memory;

import io.idempotency.core.Identity;
import java.util.List;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;

/**
 * When records expire that have ended. They are kept by steps of a tenth of a second: to search among some steps costs less
 * than among all records. Most are added to a step once and leave with all of it; only those that are tried again are
 * searched for in theirs.
 *
 * <p>Thread-safe. Most calls find that nothing has expired, and add to the step to which the call before them has added.
 * Neither needs the lock.
 */
final class Expiries {

    private final NavigableMap<Long, ExpiryStep> steps = new TreeMap<>();

    /** The one in which most expire that end now, since most have the same retention; at first one of no time. */
    private volatile ExpiryStep current = new ExpiryStep(Long.MIN_VALUE);

    /** No later than the end of the first step. */
    private volatile long firstEnd = StoredRecord.NEVER;

    /** Adds what expires at a time. */
    void add(Identity identity, long expiry) {
        long number = ExpiryStep.number(expiry);
        ExpiryStep step = current;
        while (step.number() != number || !step.add(identity)) {
            step = open(number);
        }
    }

    private synchronized ExpiryStep open(long number) {
        ExpiryStep step = steps.computeIfAbsent(number, ExpiryStep::new);
        current = step;
        firstEnd = Math.min(firstEnd, step.end());
        return step;
    }

    /** Removes what was to expire at a time, unless its step was taken. */
    synchronized void remove(Identity identity, long expiry) {
        ExpiryStep step = steps.get(ExpiryStep.number(expiry));
        if (step != null) {
            step.remove(identity);
            if (step.closeIfEmpty()) {
                steps.remove(step.number());
            }
        }
    }

    /** Says whether a step may be over. */
    boolean mayHavePassed(long now) {
        return firstEnd <= now;
    }

    /** Removes and returns the earliest step that is over; empty where there is none. */
    synchronized List<Identity> takePassed(long now) {
        List<Identity> passed = List.of();
        // One that was opened just now is empty.
        while (passed.isEmpty() && earliestEnd() <= now) {
            passed = Objects.requireNonNull(steps.pollFirstEntry()).getValue().close();
        }
        firstEnd = earliestEnd();
        return passed;
    }

    private long earliestEnd() {
        return steps.isEmpty()
                ? StoredRecord.NEVER
                : steps.firstEntry().getValue().end();
    }

    /** Returns those of the step that is not over yet, of which some may have expired. */
    synchronized List<Identity> ofPresentStep(long now) {
        ExpiryStep step = steps.get(ExpiryStep.number(now));
        return step == null ? List.of() : step.identities();
    }
}
