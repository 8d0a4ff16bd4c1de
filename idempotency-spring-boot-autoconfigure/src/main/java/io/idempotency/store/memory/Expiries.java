package io.idempotency.store.memory;

import io.idempotency.core.Identity;
import io.idempotency.core.RecordState;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;

/**
 * Which records expire when. Those that have ended are kept by steps of a tenth of a second: to search among some steps costs
 * less than among all records. Those of running claims are few, and nearly all of them end long before they expire, so
 * they are in no order.
 *
 * <p>Thread-safe, by a lock that is held for moments only.
 */
final class Expiries {

    private static final long MILLIS_PER_STEP = 100;

    private final NavigableMap<Long, Set<Identity>> ended = new TreeMap<>();

    private final Map<Identity, Long> running = new HashMap<>();

    /** No later than the first of those that are running. */
    private long firstOfRunning = StoredRecord.NEVER;

    private static long step(long millis) {
        return Math.floorDiv(millis, MILLIS_PER_STEP);
    }

    /** Adds a record, unless it never expires. */
    synchronized void add(Identity identity, StoredRecord record) {
        if (record.expiry() == StoredRecord.NEVER) {
            return;
        }
        if (record.state() == RecordState.IN_PROGRESS) {
            running.put(identity, record.expiry());
            firstOfRunning = Math.min(firstOfRunning, record.expiry());
        } else {
            ended.computeIfAbsent(step(record.expiry()), absent -> new HashSet<>())
                    .add(identity);
        }
    }

    /** Puts a record in the place of another of the same identity. */
    synchronized void change(Identity identity, StoredRecord from, StoredRecord to) {
        remove(identity, from);
        add(identity, to);
    }

    private void remove(Identity identity, StoredRecord record) {
        if (record.state() == RecordState.IN_PROGRESS) {
            running.remove(identity);
        } else {
            ended.computeIfPresent(step(record.expiry()), (step, identities) -> {
                identities.remove(identity);
                return identities.isEmpty() ? null : identities;
            });
        }
    }

    /** Removes and returns running claims that have expired, or the earliest step that is over; empty where there is neither. */
    synchronized Set<Identity> takePassed(long now) {
        if (firstOfRunning <= now) {
            Set<Identity> passed = takePassedOfRunning(now);
            if (!passed.isEmpty()) {
                return passed;
            }
        }
        return ended.isEmpty() || ended.firstKey() >= step(now)
                ? Set.of()
                : ended.pollFirstEntry().getValue();
    }

    private Set<Identity> takePassedOfRunning(long now) {
        Set<Identity> passed = new HashSet<>();
        running.forEach((identity, expiry) -> {
            if (expiry <= now) {
                passed.add(identity);
            }
        });
        running.keySet().removeAll(passed);
        firstOfRunning =
                running.values().stream().mapToLong(Long::longValue).min().orElse(StoredRecord.NEVER);
        return passed;
    }

    /** Returns the ended records that expire in the step that is not over yet, of which some may have expired. */
    synchronized Set<Identity> current(long now) {
        return Set.copyOf(ended.getOrDefault(step(now), Set.of()));
    }
}
