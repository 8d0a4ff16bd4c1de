package io.idempotency.store.memory;

import io.idempotency.core.Identity;
import java.util.HashSet;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;

/**
 * Which records expire when, by steps of a tenth of a second: to search among some steps costs less than among all records.
 *
 * <p>Thread-safe, by a lock that is held for some comparisons only.
 */
final class Expiries {

    private static final long MILLIS_PER_STEP = 100;

    private final NavigableMap<Long, Set<Identity>> steps = new TreeMap<>();

    private static long step(long millis) {
        return Math.floorDiv(millis, MILLIS_PER_STEP);
    }

    /** Adds a record, unless it never expires. */
    synchronized void add(Identity identity, long expiry) {
        if (expiry != StoredRecord.NEVER) {
            steps.computeIfAbsent(step(expiry), absent -> new HashSet<>()).add(identity);
        }
    }

    synchronized void remove(Identity identity, long expiry) {
        steps.computeIfPresent(step(expiry), (step, identities) -> {
            identities.remove(identity);
            return identities.isEmpty() ? null : identities;
        });
    }

    /** Removes and returns the records of the earliest step that is over; empty where none is. */
    synchronized Set<Identity> takePassed(long now) {
        return steps.isEmpty() || steps.firstKey() >= step(now)
                ? Set.of()
                : steps.pollFirstEntry().getValue();
    }

    /** Returns the records that expire in the step that is not over yet, of which some may have expired. */
    synchronized Set<Identity> current(long now) {
        return Set.copyOf(steps.getOrDefault(step(now), Set.of()));
    }
}
