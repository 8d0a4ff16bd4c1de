package io.idempotency.core;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Sends a claim, again and again while somebody else executes and the caller is willing to wait. A waiter is woken by a
 * recording in this JVM, and polls with jitter for those elsewhere.
 */
final class WaitingClaims {

    private static final long FIRST_POLL = TimeUnit.MILLISECONDS.toNanos(50);

    private static final long SLOWEST_POLL = TimeUnit.SECONDS.toNanos(1);

    private final IdempotencyStore store;

    private final WaitingRoom waitingRoom;

    private final Listeners listeners;

    private final LongSupplier nanoClock;

    WaitingClaims(IdempotencyStore store, WaitingRoom waitingRoom, Listeners listeners, LongSupplier nanoClock) {
        this.store = store;
        this.waitingRoom = waitingRoom;
        this.listeners = listeners;
        this.nanoClock = nanoClock;
    }

    /**
     * The answer to the last claim that was sent.
     *
     * @param sentAt when that was, on the monotonic clock
     */
    record Answer(ClaimOutcome outcome, long sentAt) {

        boolean isInProgress() {
            return outcome instanceof ClaimOutcome.InProgress;
        }
    }

    Answer claim(ClaimRequest request, Duration maxWait) {
        Answer first = claimOnce(request);
        if (maxWait.isZero() || !first.isInProgress()) {
            return first;
        }
        Optional<WaitingRoom.Waiter> seat = waitingRoom.enter(request.identity());
        if (seat.isEmpty()) {
            return first;
        }
        listeners.tell(listener -> listener.callWaiting(request.identity()));
        try (WaitingRoom.Waiter waiter = seat.get()) {
            return claimWaiting(request, waiter, first.sentAt() + maxWait.toNanos());
        }
    }

    private Answer claimWaiting(ClaimRequest request, WaitingRoom.Waiter waiter, long deadline) {
        long pause = FIRST_POLL;
        while (true) {
            Answer answer = claimOnce(request);
            long left = deadline - nanoClock.getAsLong();
            if (left <= 0 || !answer.isInProgress()) {
                return answer;
            }
            try {
                waiter.await(Math.min(left, jittered(pause)));
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                return answer;
            }
            pause = Math.min(2 * pause, SLOWEST_POLL);
        }
    }

    /** Spreads the polls of waiters that began together. */
    private static long jittered(long pause) {
        return ThreadLocalRandom.current().nextLong(pause / 2, pause + pause / 2);
    }

    private Answer claimOnce(ClaimRequest request) {
        long sentAt = nanoClock.getAsLong();
        return new Answer(store.claim(request), sentAt);
    }
}
