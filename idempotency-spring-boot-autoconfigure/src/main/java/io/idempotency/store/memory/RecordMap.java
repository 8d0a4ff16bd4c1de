package io.idempotency.store.memory;

import io.idempotency.core.IdempotencyStoreException;
import io.idempotency.core.Identity;
import java.util.Comparator;
import java.util.Iterator;
import java.util.NavigableSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A bounded map of records that forgets the expired ones without being asked for them. What is not expired is never
 * dropped: an outcome that is gone would be executed again.
 */
final class RecordMap {

    /** Any order will do among those of one millisecond; the cheap comparison comes first. */
    private static final Comparator<Expiry> SOONEST_FIRST = Comparator.comparingLong(Expiry::at)
            .thenComparingInt(expiry -> expiry.identity.hashCode())
            .thenComparing(Expiry::identity, RecordMap::inAnyOrder);

    /** Equal ones meet whenever an entry is removed, and are told apart without making texts of them. */
    private static int inAnyOrder(Identity one, Identity other) {
        return one.equals(other) ? 0 : one.hex().compareTo(other.hex());
    }

    private final int maxRecords;

    private final ConcurrentMap<Identity, StoredRecord> records = new ConcurrentHashMap<>();

    /** Counts what is in the map and what is about to enter it, so that the limit holds under concurrency. */
    private final AtomicInteger count = new AtomicInteger();

    /**
     * What expires, soonest first. An entry may outlive its record by a race of two writers; it is harmless, since the
     * record is looked at again before it is dropped.
     */
    private final NavigableSet<Expiry> expiries = new ConcurrentSkipListSet<>(SOONEST_FIRST);

    private record Expiry(long at, Identity identity) {}

    RecordMap(int maxRecords) {
        this.maxRecords = maxRecords;
    }

    int size() {
        return records.size();
    }

    @Nullable
    StoredRecord get(Identity identity) {
        return records.get(identity);
    }

    /**
     * Puts a record in the place of another, if that is still the one that stands there.
     *
     * @param standing {@code null} where there was none
     * @return whether it was
     * @throws IdempotencyStoreException if there is no room for one more
     */
    boolean replace(Identity identity, @Nullable StoredRecord standing, StoredRecord next) {
        boolean replaced = standing == null ? insert(identity, next) : records.replace(identity, standing, next);
        if (replaced) {
            if (standing != null) {
                expiries.remove(new Expiry(standing.expiry(), identity));
            }
            if (next.expiry() != StoredRecord.NEVER) {
                expiries.add(new Expiry(next.expiry(), identity));
            }
        }
        return replaced;
    }

    private boolean insert(Identity identity, StoredRecord next) {
        if (count.incrementAndGet() > maxRecords) {
            count.decrementAndGet();
            throw new IdempotencyStoreException(
                    "The memory store holds %d records and needs them all; raise idempotency.memory.max-records, shorten the retention, or choose another store"
                            .formatted(maxRecords),
                    null);
        }
        boolean inserted = records.putIfAbsent(identity, next) == null;
        if (!inserted) {
            count.decrementAndGet();
        }
        return inserted;
    }

    /** Drops everything that is expired. Each record is dropped once, so this costs little per call on the average. */
    void forgetExpired(long now) {
        Iterator<Expiry> soonestFirst = expiries.iterator();
        while (soonestFirst.hasNext()) {
            Expiry expiry = soonestFirst.next();
            if (expiry.at > now) {
                return;
            }
            soonestFirst.remove();
            StoredRecord record = records.get(expiry.identity);
            if (record != null && record.isExpired(now) && records.remove(expiry.identity, record)) {
                count.decrementAndGet();
            }
        }
    }
}
