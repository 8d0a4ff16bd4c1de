package io.idempotency.core;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Where duplicates of this JVM wait for a running execution. A waiter enters before it reads the store, so that no
 * recording between its reading and its waiting is missed. A recording wakes all who wait for it, a release wakes one.
 *
 * <p>An executor elsewhere wakes nobody here: waiters poll besides.
 */
final class WaitingRoom {

    private final int allSeats;

    private final Semaphore seats;

    private final Map<Identity, Deque<Waiter>> waiters = new HashMap<>();

    WaitingRoom(int seats) {
        this.allSeats = seats;
        this.seats = new Semaphore(seats);
    }

    /** Takes a seat; empty where all seats are taken. */
    Optional<Waiter> enter(Identity identity) {
        if (!seats.tryAcquire()) {
            return Optional.empty();
        }
        Waiter waiter = new Waiter(identity);
        synchronized (waiters) {
            waiters.computeIfAbsent(identity, absent -> new ArrayDeque<>()).add(waiter);
        }
        return Optional.of(waiter);
    }

    void wakeAll(Identity identity) {
        if (isEmpty()) {
            return;
        }
        synchronized (waiters) {
            waiters(identity).forEach(Waiter::wake);
        }
    }

    void wakeOne(Identity identity) {
        if (isEmpty()) {
            return;
        }
        synchronized (waiters) {
            waiters(identity).stream()
                    .filter(waiter -> waiter.signal.availablePermits() == 0)
                    .findFirst()
                    .ifPresent(Waiter::wake);
        }
    }

    /** Needs no lock: who has taken no seat yet reads the store again after it, and finds what was recorded there. */
    private boolean isEmpty() {
        return seats.availablePermits() == allSeats;
    }

    private Collection<Waiter> waiters(Identity identity) {
        Collection<Waiter> present = waiters.get(identity);
        return present == null ? List.of() : present;
    }

    /** A seat. Closing it gives it back; a wake-up that was not used goes to the next waiter. */
    final class Waiter implements AutoCloseable {

        private final Identity identity;

        private final Semaphore signal = new Semaphore(0);

        private Waiter(Identity identity) {
            this.identity = identity;
        }

        private void wake() {
            signal.release();
        }

        /** Waits until it is woken or the time is over. */
        void await(long nanos) throws InterruptedException {
            if (signal.tryAcquire(nanos, TimeUnit.NANOSECONDS)) {
                signal.drainPermits();
            }
        }

        @Override
        public void close() {
            synchronized (waiters) {
                Deque<Waiter> others = waiters.get(identity);
                if (others != null && others.remove(this) && others.isEmpty()) {
                    waiters.remove(identity);
                }
            }
            seats.release();
            if (signal.tryAcquire()) {
                wakeOne(identity);
            }
        }
    }
}
