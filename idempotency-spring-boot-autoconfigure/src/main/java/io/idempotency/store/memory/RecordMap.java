package io.idempotency.store.memory;

import io.idempotency.core.IdempotencyStoreException;
import io.idempotency.core.Identity;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
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

    /** Changes together with the record, so each record that expires is here. One that is dropped may stay for a moment. */
    private final Expiries expiries = new Expiries();

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
    @SuppressWarnings(
            "ReferenceEquality") // every change makes a new record, so the same one means that nothing changed
    boolean replace(Identity identity, @Nullable StoredRecord standing, StoredRecord next) {
        if (standing == null) {
            takeRoom();
        }
        StoredRecord left = records.compute(identity, (same, found) -> {
            if (found != standing) {
                return found;
            }
            reschedule(identity, found, next);
            return next;
        });
        boolean replaced = left == next;
        if (standing == null && !replaced) {
            count.decrementAndGet();
        }
        return replaced;
    }

    private void takeRoom() {
        if (count.incrementAndGet() > maxRecords) {
            count.decrementAndGet();
            throw new IdempotencyStoreException(
                    "The memory store holds %d records and needs them all; raise idempotency.memory.max-records, shorten the retention, or choose another store"
                            .formatted(maxRecords),
                    null);
        }
    }

    private void reschedule(Identity identity, @Nullable StoredRecord from, StoredRecord to) {
        if (from == null) {
            expiries.add(identity, to);
        } else if (from.expiry() != to.expiry() || from.state() != to.state()) {
            expiries.change(identity, from, to);
        }
    }

    /**
     * Drops what is expired. Each record is dropped once, so this costs little per call on the average. Some that have
     * expired just now stay for a moment, unless their room is needed.
     */
    void forgetExpired(long now) {
        for (Set<Identity> passed = expiries.takePassed(now); !passed.isEmpty(); passed = expiries.takePassed(now)) {
            passed.forEach(identity -> forgetIfExpired(identity, now));
        }
        if (count.get() >= maxRecords) {
            expiries.ofPresentStep(now).forEach(identity -> forgetIfExpired(identity, now));
        }
    }

    private void forgetIfExpired(Identity identity, long now) {
        records.computeIfPresent(identity, (same, record) -> {
            if (!record.isExpired(now)) {
                return record;
            }
            count.decrementAndGet();
            return null;
        });
    }
}
