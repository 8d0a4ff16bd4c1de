package io.idempotency.core;

import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the end of an execution to the store, after the surrounding transaction if there is one, and goes on trying in
 * the background when the store does not take it.
 *
 * <ul>
 *   <li>An outcome is tried until max-duration, and its claim is renewed so long. Then the record is held: the work did
 *       happen, so nobody may run it again by himself.
 *   <li>A release or a hold is tried until the lease is over.
 * </ul>
 */
final class OutcomeRecorder {

    private static final Logger logger = LoggerFactory.getLogger(OutcomeRecorder.class);

    /** Outcomes that wait for the store are kept in memory, so their number is limited. */
    private static final int MAX_PENDING = 1_000;

    private static final long FIRST_PAUSE = TimeUnit.MILLISECONDS.toNanos(100);

    private static final long SHORTEST_PAUSE = TimeUnit.MILLISECONDS.toNanos(5);

    private static final long LONGEST_PAUSE = TimeUnit.SECONDS.toNanos(5);

    private final IdempotencyStore store;

    private final SurroundingTransaction transaction;

    private final LeaseRenewer renewer;

    private final WaitingRoom waitingRoom;

    private final Listeners listeners;

    private final ScheduledExecutorService scheduler;

    private final LongSupplier nanoClock;

    private final AtomicInteger pending = new AtomicInteger();

    OutcomeRecorder(
            IdempotencyStore store,
            SurroundingTransaction transaction,
            LeaseRenewer renewer,
            WaitingRoom waitingRoom,
            Listeners listeners,
            ScheduledExecutorService scheduler,
            LongSupplier nanoClock) {
        this.store = store;
        this.transaction = transaction;
        this.renewer = renewer;
        this.waitingRoom = waitingRoom;
        this.listeners = listeners;
        this.scheduler = scheduler;
        this.nanoClock = nanoClock;
    }

    /** Ends an execution. Never throws when the store fails. */
    void end(Lease lease, OperationPolicy policy, ExecutionEnd end) {
        if (!transaction.isActive()) {
            write(lease, policy, end);
            return;
        }
        transaction.afterCompletion(result -> write(
                lease,
                policy,
                switch (result) {
                    case COMMITTED -> end;
                    case ROLLED_BACK -> new ExecutionEnd.Release();
                    case UNKNOWN -> new ExecutionEnd.Hold();
                }));
    }

    private void write(Lease lease, OperationPolicy policy, ExecutionEnd end) {
        if (!(end instanceof ExecutionEnd.Complete)) {
            renewer.forget(lease);
        }
        try {
            settled(lease, end, apply(lease.claim(), policy, end));
        } catch (IdempotencyStoreException failure) {
            logger.warn(
                    "The end of operation {} could not be recorded and is tried again: {}",
                    lease.claim().identity(),
                    failure.getMessage());
            listeners.tell(listener -> listener.recordingFailed(lease.claim(), failure));
            retryLater(lease, policy, end);
        }
    }

    private Ownership apply(Claim claim, OperationPolicy policy, ExecutionEnd end) {
        if (end instanceof ExecutionEnd.Complete complete) {
            return store.complete(claim, complete.outcome(), policy.retention());
        }
        return end instanceof ExecutionEnd.Release ? store.release(claim, policy.retention()) : store.hold(claim);
    }

    private void settled(Lease lease, ExecutionEnd end, Ownership ownership) {
        renewer.forget(lease);
        Claim claim = lease.claim();
        if (ownership == Ownership.LOST) {
            renewer.lost(lease);
        } else if (end instanceof ExecutionEnd.Complete complete) {
            waitingRoom.wakeAll(claim.identity());
            listeners.tell(listener ->
                    listener.outcomeRecorded(claim, complete.outcome().kind()));
        } else if (end instanceof ExecutionEnd.Release) {
            waitingRoom.wakeOne(claim.identity());
            listeners.tell(listener -> listener.claimReleased(claim));
        } else {
            waitingRoom.wakeAll(claim.identity());
            listeners.tell(listener -> listener.claimHeld(claim));
        }
    }

    private void retryLater(Lease lease, OperationPolicy policy, ExecutionEnd end) {
        if (pending.incrementAndGet() > MAX_PENDING) {
            giveUp(lease, "too many outcomes wait for the store");
            return;
        }
        schedule(lease, policy, end, FIRST_PAUSE);
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the task reports its own failures
    private void schedule(Lease lease, OperationPolicy policy, ExecutionEnd end, long pause) {
        try {
            scheduler.schedule(() -> retry(lease, policy, end, pause), pause, TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException closed) {
            giveUp(lease, "the application stops");
        }
    }

    private void retry(Lease lease, OperationPolicy policy, ExecutionEnd end, long pause) {
        ExecutionEnd next = nextTry(lease, end);
        try {
            Ownership ownership = apply(lease.claim(), policy, next);
            pending.decrementAndGet();
            settled(lease, next, ownership);
        } catch (IdempotencyStoreException failure) {
            if (!(next instanceof ExecutionEnd.Complete) && lease.isLost()) {
                giveUp(lease, failure.getMessage());
            } else {
                schedule(lease, policy, next, nextPause(lease, next, pause));
            }
        }
    }

    /** The try at max-duration must not come late: it holds the record while the last lease still runs. */
    private long nextPause(Lease lease, ExecutionEnd next, long pause) {
        long longer = Math.min(2 * pause, LONGEST_PAUSE);
        return next instanceof ExecutionEnd.Complete
                ? Math.min(longer, Math.max(lease.nanosUntilMaxDuration(nanoClock.getAsLong()), SHORTEST_PAUSE))
                : longer;
    }

    private ExecutionEnd nextTry(Lease lease, ExecutionEnd end) {
        boolean tooLate = end instanceof ExecutionEnd.Complete && lease.isPastMaxDuration(nanoClock.getAsLong());
        return tooLate ? new ExecutionEnd.Hold() : end;
    }

    private void giveUp(Lease lease, @Nullable String reason) {
        pending.decrementAndGet();
        renewer.forget(lease);
        logger.error(
                "The end of operation {} was not recorded; its lease decides what happens next: {}",
                lease.claim().identity(),
                reason);
    }
}
