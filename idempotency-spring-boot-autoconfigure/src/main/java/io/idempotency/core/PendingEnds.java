package io.idempotency.core;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The ends of executions that the store did not take when they came. They are tried again in the background.
 *
 * <ul>
 *   <li>An outcome and a hold keep their claim renewed until max-duration. An outcome that is refused even then becomes a
 *       hold, while the last lease still runs: the work did happen, so nobody may run it again by himself.
 *   <li>A release is not renewed: the end of the lease may free the key before.
 *   <li>All are tried until max-duration and one lease are over, for then the record may be gone; and once more after that
 *       if this JVM was frozen meanwhile. Who came too late is told <em>lost</em> by the store.
 *   <li>When the application stops, everything is tried once more, until the store fails again, for a few seconds at most.
 * </ul>
 */
final class PendingEnds implements AutoCloseable {

    private static final Logger logger = LoggerFactory.getLogger(PendingEnds.class);

    /** So many outcomes are kept in memory; what comes in excess is held without its outcome. */
    static final int MAX_OUTCOMES = 1_000;

    private static final int MAX_ENDS = 100_000;

    private static final long FIRST_PAUSE = TimeUnit.MILLISECONDS.toNanos(100);

    private static final long SHORTEST_PAUSE = TimeUnit.MILLISECONDS.toNanos(5);

    private static final long LONGEST_PAUSE = TimeUnit.SECONDS.toNanos(5);

    private static final long LAST_TRIES = TimeUnit.SECONDS.toNanos(7);

    private final LeaseRenewer renewer;

    private final ScheduledExecutorService scheduler;

    private final LongSupplier nanoClock;

    private final Set<PendingEnd> ends = ConcurrentHashMap.newKeySet();

    private final AtomicInteger outcomes = new AtomicInteger();

    PendingEnds(LeaseRenewer renewer, ScheduledExecutorService scheduler, LongSupplier nanoClock) {
        this.renewer = renewer;
        this.scheduler = scheduler;
        this.nanoClock = nanoClock;
    }

    /**
     * An end that waits for the store.
     *
     * @param recording records an end of this execution; throws {@link IdempotencyStoreException}
     */
    record PendingEnd(Lease lease, ExecutionEnd end, Consumer<ExecutionEnd> recording) {

        PendingEnd held() {
            return new PendingEnd(lease, new ExecutionEnd.Hold(), recording);
        }

        boolean isOutcome() {
            return end instanceof ExecutionEnd.Complete;
        }
    }

    void add(PendingEnd end) {
        if (!(end.end() instanceof ExecutionEnd.Release)) {
            renewer.watch(end.lease());
        }
        if (ends.size() >= MAX_ENDS) {
            giveUp(end, "too many ends wait for the store");
            return;
        }
        PendingEnd kept = kept(end);
        ends.add(kept);
        if (!schedule(kept, FIRST_PAUSE) && forget(kept) && !record(kept)) {
            giveUp(kept, "the application stops");
        }
    }

    private PendingEnd kept(PendingEnd end) {
        if (!end.isOutcome() || outcomes.incrementAndGet() <= MAX_OUTCOMES) {
            return end;
        }
        outcomes.decrementAndGet();
        logger.warn(
                "{} outcomes wait for the store, and no more are kept: operation {} is left in doubt",
                MAX_OUTCOMES,
                end.lease().claim().identity());
        return end.held();
    }

    /** Returns whether it was still there, for nobody else then records it. */
    private boolean forget(PendingEnd end) {
        boolean there = ends.remove(end);
        if (there && end.isOutcome()) {
            outcomes.decrementAndGet();
        }
        return there;
    }

    /** Returns false where the application stops. */
    @SuppressWarnings("FutureReturnValueIgnored") // the task reports its own failures
    private boolean schedule(PendingEnd end, long pause) {
        try {
            scheduler.schedule(() -> tryAgain(end, pause), pause, TimeUnit.NANOSECONDS);
            return true;
        } catch (RejectedExecutionException closed) {
            return false;
        }
    }

    private void tryAgain(PendingEnd end, long pause) {
        if (!ends.contains(end)) {
            return;
        }
        try {
            end.recording().accept(end.end());
            forget(end);
        } catch (IdempotencyStoreException failure) {
            tryLater(end, pause, failure);
        }
    }

    private void tryLater(PendingEnd end, long pause, IdempotencyStoreException failure) {
        long now = nanoClock.getAsLong();
        if (isOver(end.lease(), now)) {
            giveUp(end, failure.getMessage());
            return;
        }
        boolean tooLate = end.isOutcome() && end.lease().isPastMaxDuration(now);
        PendingEnd next = tooLate ? end.held() : end;
        if (tooLate) {
            ends.add(next);
            forget(end);
        }
        if (!schedule(next, tooLate ? SHORTEST_PAUSE : nextPause(end, pause, now))) {
            logger.debug(
                    "The application stops; the end of {} is tried once more",
                    end.lease().claim().identity());
        }
    }

    private static boolean isOver(Lease lease, long now) {
        return lease.nanosUntilMaxDuration(now) + lease.claim().lease().toNanos() <= 0;
    }

    /** An outcome is tried at max-duration, so that there is time for its hold while the last lease still runs. */
    private static long nextPause(PendingEnd end, long pause, long now) {
        long longer = Math.min(2 * pause, LONGEST_PAUSE);
        return end.isOutcome()
                ? Math.min(longer, Math.max(end.lease().nanosUntilMaxDuration(now), SHORTEST_PAUSE))
                : longer;
    }

    private void giveUp(PendingEnd end, @Nullable String reason) {
        forget(end);
        renewer.forget(end.lease());
        logger.error(
                "The end of operation {} was not recorded; its lease decides what happens next: {}",
                end.lease().claim().identity(),
                reason);
    }

    /** Tries what waits, until the store fails. The rest goes on waiting. */
    void tryNow() {
        for (PendingEnd end : ends) {
            if (!record(end)) {
                return;
            }
            forget(end);
        }
    }

    @Override
    public void close() {
        scheduler.shutdownNow();
        awaitTheTryUnderWay();
        long deadline = nanoClock.getAsLong() + LAST_TRIES;
        boolean storeAnswers = true;
        for (PendingEnd end : ends) {
            if (!forget(end)) {
                continue;
            }
            storeAnswers = storeAnswers && nanoClock.getAsLong() - deadline < 0 && record(end);
            if (!storeAnswers) {
                giveUp(end, "the application stops");
            }
        }
    }

    /** It was interrupted, and leaves what it tried to the others. */
    private void awaitTheTryUnderWay() {
        try {
            if (!scheduler.awaitTermination(LAST_TRIES, TimeUnit.NANOSECONDS)) {
                logger.debug("The end of an execution is still being recorded");
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns whether the store took it. */
    private static boolean record(PendingEnd end) {
        try {
            end.recording().accept(end.end());
            return true;
        } catch (IdempotencyStoreException failure) {
            logger.debug("The store does not take what waits for it", failure);
            return false;
        }
    }
}
