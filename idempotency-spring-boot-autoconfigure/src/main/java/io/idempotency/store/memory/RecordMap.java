package io.idempotency.store.memory;

import io.idempotency.core.IdempotencyStoreException;
import io.idempotency.core.Identity;
import io.idempotency.core.RecordState;
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

    private final int maxRecords;

    private final ConcurrentMap<Identity, StoredRecord> records = new ConcurrentHashMap<>();

    /** Counts what is in the map and what is about to enter it, so that the limit holds under concurrency. */
    private final AtomicInteger count = new AtomicInteger();

    /**
     * What expires, soonest first. An entry may outlive its record by a race of two writers; it is harmless, since the
     * record is looked at again before it is dropped.
     */
    private final NavigableSet<Expiry> expiries = new ConcurrentSkipListSet<>();

    /** The same for those that run. They are few and end soon, so they come and go without a search among all others. */
    private final NavigableSet<Expiry> expiriesOfRunning = new ConcurrentSkipListSet<>();

    private record Expiry(long at, Identity identity) implements Comparable<Expiry> {

        /** Any order will do among those of one millisecond; the cheap comparison comes first. */
        @Override
        public int compareTo(Expiry other) {
            if (at != other.at) {
                return Long.compare(at, other.at);
            }
            int byHash = Integer.compare(identity.hashCode(), other.identity.hashCode());
            if (byHash != 0 || identity.equals(other.identity)) {
                return byHash;
            }
            return identity.hex().compareTo(other.identity.hex());
        }
    }

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
                expiriesOf(standing).remove(new Expiry(standing.expiry(), identity));
            }
            if (next.expiry() != StoredRecord.NEVER) {
                expiriesOf(next).add(new Expiry(next.expiry(), identity));
            }
        }
        return replaced;
    }

    private NavigableSet<Expiry> expiriesOf(StoredRecord record) {
        return record.state() == RecordState.IN_PROGRESS ? expiriesOfRunning : expiries;
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
        forget(expiries.iterator(), now);
        forget(expiriesOfRunning.iterator(), now);
    }

    private void forget(Iterator<Expiry> soonestFirst, long now) {
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
