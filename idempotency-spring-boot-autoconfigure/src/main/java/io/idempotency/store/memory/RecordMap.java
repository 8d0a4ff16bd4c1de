package io.idempotency.store.memory;

import io.idempotency.core.IdempotencyStoreException;
import io.idempotency.core.Identity;
import io.idempotency.core.RecordState;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A bounded map of records that forgets the expired ones without being asked for them. What is not expired is never
 * dropped: an outcome that is gone would be executed again.
 *
 * <p>Those of running claims are in no order of their own. Nearly all of them end long before they expire, so that it costs
 * less to look through all records when the first of them would expire: once in the lifetime of a claim, or each second
 * where many never end.
 */
final class RecordMap {

    /** How long the record of a running claim may stay after its expiry, unless its room is needed. */
    private static final long PATIENCE_MILLIS = 1_000;

    private final int maxRecords;

    private final ConcurrentMap<Identity, StoredRecord> records = new ConcurrentHashMap<>();

    /** Counts what is in the map and what is about to enter it, so that the limit holds under concurrency. */
    private final AtomicInteger count = new AtomicInteger();

    /** Of those that have ended. Changes together with the record. One that is dropped may stay for a moment. */
    private final Expiries expiries = new Expiries();

    /** No later than the first expiry of those that are running. */
    private final AtomicLong firstOfRunning = new AtomicLong(StoredRecord.NEVER);

    private final LongSupplier millis;

    /** @param millis a clock that nobody can set */
    RecordMap(int maxRecords, LongSupplier millis) {
        this.maxRecords = maxRecords;
        this.millis = millis;
    }

    int size() {
        return records.size();
    }

    @Nullable
    StoredRecord get(Identity identity) {
        return records.get(identity);
    }

    /**
     * Adds the record of a running claim, if its identity has none.
     *
     * @return whether it had none
     * @throws IdempotencyStoreException if there is no room for one more
     */
    boolean add(Identity identity, StoredRecord claimed) {
        if (!takesRoomFor(identity)) {
            return false;
        }
        if (records.putIfAbsent(identity, claimed) != null) {
            count.decrementAndGet();
            return false;
        }
        lowerFirstOfRunning(claimed);
        return true;
    }

    /** Returns false where there is no room, and the identity needs none: somebody else has added it. */
    private boolean takesRoomFor(Identity identity) {
        if (takesRoom()) {
            return true;
        }
        forgetAllExpired(millis.getAsLong());
        if (takesRoom()) {
            return true;
        }
        requireRecord(identity);
        return false;
    }

    private boolean takesRoom() {
        return count.getAndUpdate(taken -> Math.min(taken + 1, maxRecords)) < maxRecords;
    }

    private void requireRecord(Identity identity) {
        if (!records.containsKey(identity)) {
            throw new IdempotencyStoreException(
                    "The memory store holds %d records and needs them all; raise idempotency.memory.max-records, shorten the retention, or choose another store"
                            .formatted(maxRecords),
                    null);
        }
    }

    /**
     * Puts a record in the place of another, if that is still the one that stands there.
     *
     * @return whether it was
     */
    @SuppressWarnings(
            "ReferenceEquality") // every change makes a new record, so the same one means that nothing changed
    boolean replace(Identity identity, StoredRecord standing, StoredRecord next) {
        StoredRecord left = records.computeIfPresent(identity, (same, found) -> {
            if (found != standing) {
                return found;
            }
            reschedule(identity, found, next);
            return next;
        });
        if (left != next) {
            return false;
        }
        lowerFirstOfRunning(next);
        return true;
    }

    private void reschedule(Identity identity, StoredRecord from, StoredRecord to) {
        boolean wasListed = isListed(from);
        boolean isListed = isListed(to);
        if (wasListed && isListed && from.expiry() == to.expiry()) {
            return;
        }
        if (wasListed) {
            expiries.remove(identity, from.expiry());
        }
        if (isListed) {
            expiries.add(identity, to.expiry());
        }
    }

    private static boolean isListed(StoredRecord record) {
        return record.state() != RecordState.IN_PROGRESS && record.expiry() != StoredRecord.NEVER;
    }

    /** To be called after the record can be seen: who looks through all of them first resets this time. */
    private void lowerFirstOfRunning(StoredRecord record) {
        if (record.state() == RecordState.IN_PROGRESS && record.expiry() < firstOfRunning.get()) {
            firstOfRunning.accumulateAndGet(record.expiry(), Math::min);
        }
    }

    /** Drops what is expired. Some that have expired just now stay for a moment, unless their room is needed. */
    void forgetExpired(long now) {
        if (expiries.mayHavePassed(now)) {
            forgetPassed(now);
        }
        if (firstOfRunning.get() <= now - PATIENCE_MILLIS) {
            forgetExpiredOfRunning(now);
        }
    }

    private void forgetAllExpired(long now) {
        forgetPassed(now);
        forgetExpiredOfRunning(now);
        forgetIfExpired(expiries.ofPresentStep(now), now);
    }

    /** Who needs the room waits until all that was taken out of the steps is dropped. */
    private synchronized void forgetPassed(long now) {
        for (List<Identity> passed = expiries.takePassed(now); !passed.isEmpty(); passed = expiries.takePassed(now)) {
            forgetIfExpired(passed, now);
        }
    }

    private synchronized void forgetExpiredOfRunning(long now) {
        if (firstOfRunning.get() > now) {
            return;
        }
        firstOfRunning.set(StoredRecord.NEVER);
        records.forEach((identity, record) -> {
            if (record.isExpired(now)) {
                forgetIfExpired(identity, now);
            } else {
                lowerFirstOfRunning(record);
            }
        });
    }

    private void forgetIfExpired(List<Identity> identities, long now) {
        identities.forEach(identity -> forgetIfExpired(identity, now));
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
