package io.idempotency.core;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;

/**
 * The holder's view of its claim, on the JVM's own monotonic clock. It starts when the claim was <em>sent</em>, so it
 * ends before the store's does. The store's view decides; this one tells user code early that it may have lost.
 */
final class Lease {

    private final Claim claim;

    private final LongSupplier nanoClock;

    private final long renewedUntil;

    private volatile long end;

    private volatile long nextRenewal;

    private volatile boolean lost;

    private volatile boolean locked;

    private volatile boolean ending;

    private final AtomicBoolean lossReported = new AtomicBoolean();

    Lease(Claim claim, Duration maxDuration, long sentAt, LongSupplier nanoClock) {
        this.claim = claim;
        this.nanoClock = nanoClock;
        this.renewedUntil = sentAt + maxDuration.toNanos();
        renewed(sentAt);
    }

    Claim claim() {
        return claim;
    }

    /** Says whether the claim was lost, once and for all: a renewal that succeeds later does not undo it. */
    boolean isLost() {
        if (locked) {
            return false;
        }
        if (!lost && nanoClock.getAsLong() - end >= 0) {
            lost = true;
        }
        return lost;
    }

    /** The record is locked by its owner: nobody has taken it over, and nobody does, however long that lasts. */
    void locked() {
        locked = true;
        lost = false;
    }

    /**
     * The record is not locked any more. What the lock was good for is over with it: the lease is the one before, which may
     * have passed, unless it was {@linkplain #renewed renewed} meanwhile.
     */
    void unlocked() {
        locked = false;
    }

    void markLost() {
        lost = true;
    }

    /** Returns true for the first caller only. */
    boolean reportLoss() {
        return lossReported.compareAndSet(false, true);
    }

    /** The end is being written: a renewal that comes too late for it is no loss. */
    void ending() {
        ending = true;
    }

    boolean isEnding() {
        return ending;
    }

    void renewed(long sentAt) {
        long lease = claim.lease().toNanos();
        end = sentAt + lease;
        nextRenewal = sentAt + lease / 3;
    }

    /** A renewal gave no answer: ask again soon, well before the end. */
    void renewalMissed(long now) {
        nextRenewal = now + claim.lease().toNanos() / 10;
    }

    /** Returns the present time of the clock that all of this is measured by. */
    long now() {
        return nanoClock.getAsLong();
    }

    boolean isPastMaxDuration(long now) {
        return nanosUntilMaxDuration(now) <= 0;
    }

    /** Returns how long the claim may still be renewed, from now on. */
    long nanosUntilMaxDuration() {
        return nanosUntilMaxDuration(nanoClock.getAsLong());
    }

    /** Returns how long the claim may still be renewed; zero or less when it may not. */
    long nanosUntilMaxDuration(long now) {
        return renewedUntil - now;
    }

    /** Returns how long it is until the next renewal is due; zero or less when it is. */
    long nanosUntilRenewal(long now) {
        return nextRenewal - now;
    }

    /** Returns how long it is until the holder must take the claim for lost; zero or less when it must. */
    long nanosUntilEnd(long now) {
        return end - now;
    }
}
