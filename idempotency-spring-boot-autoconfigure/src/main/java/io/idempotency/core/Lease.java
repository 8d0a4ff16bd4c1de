package io.idempotency.core;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;

/**
 * The holder's view of its claim, on the JVM's own monotonic clock. It starts when the claim was <em>sent</em>, so it
 * ends before the store's does. The store's view decides; this one tells user code early that it may have lost.
 */
final class Lease {

    private final Claim claim;

    private final LongSupplier nanoClock;

    private final long renewedUntil;

    private final AtomicReference<State> state;

    private volatile boolean ending;

    private enum Hold {
        RUNNING,

        /** By a transaction of the owner, so that the lease does not count. */
        LOCKED,

        /** The lease is over; whether somebody has taken over is for the store to say. */
        PASSED,

        /** The store says so: for good. */
        LOST
    }

    /**
     * What the threads of the work and the renewal change, in one piece: none of them acts on half of another's change.
     *
     * @param told whether it was told that the claim is lost
     * @param missed whether the last renewal gave no answer
     */
    private record State(Hold hold, boolean told, long end, long nextRenewal, boolean missed) {

        boolean isLost() {
            return hold == Hold.PASSED || hold == Hold.LOST;
        }

        /** Says whether the lease is over, and this state does not say so yet. */
        boolean passesBy(long now) {
            return hold == Hold.RUNNING && now - end >= 0;
        }

        State at(long now) {
            return passesBy(now) ? with(Hold.PASSED, told) : this;
        }

        private State with(Hold next, boolean nextTold) {
            return new State(next, nextTold, end, nextRenewal, missed);
        }

        State locked() {
            return hold == Hold.LOST ? this : with(Hold.LOCKED, false);
        }

        State unlocked() {
            return hold == Hold.LOCKED ? with(Hold.RUNNING, told) : this;
        }

        State lost() {
            return with(Hold.LOST, true);
        }

        State toldIfLost() {
            return isLost() ? with(hold, true) : this;
        }

        /** An answer to what was sent earlier may arrive later. */
        State renewed(long newEnd, long renewal) {
            return newEnd - end > 0 ? new State(hold, told, newEnd, renewal, false) : this;
        }

        /** A locked record is busy because of its lock, which says nothing of what is due when that is gone. */
        State renewalMissed(long renewal) {
            return hold == Hold.LOCKED ? this : new State(hold, told, end, renewal, true);
        }
    }

    Lease(Claim claim, Duration maxDuration, long sentAt, LongSupplier nanoClock) {
        this.claim = claim;
        this.nanoClock = nanoClock;
        this.renewedUntil = sentAt + maxDuration.toNanos();
        this.state = new AtomicReference<>(new State(Hold.RUNNING, false, endOf(sentAt), renewalOf(sentAt), false));
    }

    private long endOf(long sentAt) {
        return sentAt + claim.lease().toNanos();
    }

    private long renewalOf(long sentAt) {
        return sentAt + claim.lease().toNanos() / 3;
    }

    Claim claim() {
        return claim;
    }

    /**
     * Says whether the claim was lost: the store said so, or the lease passed. A renewal that succeeds later does not undo
     * that; only a {@linkplain #locked lock} shows that a lease which passed was not lost.
     */
    boolean isLost() {
        // Read first: a lock or a renewal that comes in between is later than this time.
        long now = nanoClock.getAsLong();
        State found = present();
        if (!found.passesBy(now)) {
            // Nearly every caller finds that nothing has changed.
            return found.isLost();
        }
        return state.updateAndGet(before -> before.at(now)).isLost();
    }

    /** The record is locked by its owner: nobody has taken it over, and nobody does, however long that lasts. */
    void locked() {
        state.updateAndGet(State::locked);
    }

    /**
     * The record is not locked any more. What the lock was good for is over with it: the lease is the one before, which may
     * have passed, unless it was {@linkplain #renewed renewed} meanwhile.
     */
    void unlocked() {
        state.updateAndGet(State::unlocked);
    }

    /**
     * The store says that the claim is lost.
     *
     * @return true for the caller who has to tell of it
     */
    boolean markLost() {
        return !state.getAndUpdate(State::lost).told();
    }

    /** Returns true for the caller who has to tell that the lease has passed, if it has: one for each loss. */
    boolean markPassed() {
        long now = nanoClock.getAsLong();
        State before = state.getAndUpdate(present -> present.at(now).toldIfLost());
        return before.at(now).isLost() && !before.told();
    }

    /** The end is being written: a renewal that comes too late for it is no loss. */
    void ending() {
        ending = true;
    }

    boolean isEnding() {
        return ending;
    }

    void renewed(long sentAt) {
        state.updateAndGet(before -> before.renewed(endOf(sentAt), renewalOf(sentAt)));
    }

    /** A renewal gave no answer: ask again soon, well before the end. */
    void renewalMissed(long now) {
        state.updateAndGet(before -> before.renewalMissed(now + claim.lease().toNanos() / 10));
    }

    /** Says whether the last renewal gave no answer. */
    boolean isRenewalMissed() {
        return present().missed();
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

    /** Returns when the next renewal is due, on the monotonic clock. */
    long nextRenewal() {
        return present().nextRenewal();
    }

    /** Returns how long it is until the holder must take the claim for lost; zero or less when it must. */
    long nanosUntilEnd(long now) {
        return present().end() - now;
    }

    /** That of its identity: the one that every object has costs a call into the JVM. Two leases are equal only if they are the same. */
    @Override
    public int hashCode() {
        return claim.identity().hashCode();
    }

    private State present() {
        return Objects.requireNonNull(state.get());
    }
}
