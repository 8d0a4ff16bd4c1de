package io.idempotency.store.memory;

import io.idempotency.core.Identity;
import io.idempotency.core.RecordState;
import java.util.HashSet;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Which records expire when. Those that have ended are kept by steps of a tenth of a second: to search among some steps costs
 * less than among all records. Those of running claims are few, and nearly all of them end long before they expire, so
 * they are in no order.
 *
 * <p>Thread-safe. Most calls find that nothing has expired, and tell so without the lock; it is held for moments only.
 */
final class Expiries {

    private static final long MILLIS_PER_STEP = 100;

    private static final long NONE = Long.MIN_VALUE;

    private final NavigableMap<Long, Set<Identity>> ended = new TreeMap<>();

    /** One of the steps above: the one in which most expire that end now, since most have the same retention. */
    private long current = NONE;

    private Set<Identity> endedOfCurrent = Set.of();

    private final Map<Identity, Long> running = new ConcurrentHashMap<>();

    /** No later than the first of those that are running. */
    private final AtomicLong firstOfRunning = new AtomicLong(StoredRecord.NEVER);

    /** No later than the end of the first step of those that have ended. */
    private volatile long firstOfEnded = StoredRecord.NEVER;

    private static long step(long millis) {
        return Math.floorDiv(millis, MILLIS_PER_STEP);
    }

    private static long end(long step) {
        return (step + 1) * MILLIS_PER_STEP;
    }

    /** Adds a record, unless it never expires. */
    void add(Identity identity, StoredRecord record) {
        if (record.expiry() == StoredRecord.NEVER) {
            return;
        }
        if (record.state() == RecordState.IN_PROGRESS) {
            running.put(identity, record.expiry());
            lowerFirstOfRunning(record.expiry());
        } else {
            addEnded(identity, step(record.expiry()));
        }
    }

    private void lowerFirstOfRunning(long expiry) {
        if (expiry < firstOfRunning.get()) {
            firstOfRunning.accumulateAndGet(expiry, Math::min);
        }
    }

    private synchronized void addEnded(Identity identity, long step) {
        if (step != current) {
            endedOfCurrent = ended.computeIfAbsent(step, absent -> new HashSet<>());
            current = step;
            firstOfEnded = Math.min(firstOfEnded, end(step));
        }
        endedOfCurrent.add(identity);
    }

    /** Puts a record in the place of another of the same identity. */
    void change(Identity identity, StoredRecord from, StoredRecord to) {
        if (from.state() == RecordState.IN_PROGRESS) {
            running.remove(identity);
        } else {
            removeEnded(identity, step(from.expiry()));
        }
        add(identity, to);
    }

    private synchronized void removeEnded(Identity identity, long step) {
        ended.computeIfPresent(step, (same, identities) -> {
            identities.remove(identity);
            if (identities.isEmpty()) {
                forgetCurrent(step);
                return null;
            }
            return identities;
        });
    }

    /** A step that is removed must not be added to any more. */
    private void forgetCurrent(long removed) {
        if (removed == current) {
            current = NONE;
            endedOfCurrent = Set.of();
        }
    }

    /** Removes and returns running claims that have expired, or the earliest step that is over; empty where there is neither. */
    Set<Identity> takePassed(long now) {
        return now < firstOfRunning.get() && now < firstOfEnded ? Set.of() : searchPassed(now);
    }

    private synchronized Set<Identity> searchPassed(long now) {
        Set<Identity> passed = firstOfRunning.get() <= now ? takePassedOfRunning(now) : Set.of();
        return passed.isEmpty() ? takePassedOfEnded(now) : passed;
    }

    private Set<Identity> takePassedOfRunning(long now) {
        Set<Identity> passed = new HashSet<>();
        // Whoever is added from here on lowers it again, seen below or not.
        firstOfRunning.set(StoredRecord.NEVER);
        running.forEach((identity, expiry) -> {
            if (expiry > now) {
                lowerFirstOfRunning(expiry);
            } else if (running.remove(identity, expiry)) {
                passed.add(identity);
            }
        });
        return passed;
    }

    private Set<Identity> takePassedOfEnded(long now) {
        Set<Identity> passed = Set.of();
        if (firstEnd() <= now) {
            Map.Entry<Long, Set<Identity>> first = Objects.requireNonNull(ended.pollFirstEntry());
            forgetCurrent(first.getKey());
            passed = first.getValue();
        }
        firstOfEnded = firstEnd();
        return passed;
    }

    private long firstEnd() {
        return ended.isEmpty() ? StoredRecord.NEVER : end(ended.firstKey());
    }

    /** Returns the ended records that expire in the step that is not over yet, of which some may have expired. */
    synchronized Set<Identity> ofPresentStep(long now) {
        return Set.copyOf(ended.getOrDefault(step(now), Set.of()));
    }
}
