package io.idempotency.core;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The ends of executions that the store did not take when they came. They are tried again in the background.
 *
 * <ul>
 *   <li>An outcome and a hold are tried until max-duration, and the claim is renewed so long. Then an outcome becomes a
 *       hold, for as long as the last lease runs: the work did happen, so nobody may run it again by himself.
 *   <li>A release is tried until the lease is over, for then the key is free by itself. Where the end of the lease would
 *       leave a doubt, it is tried until max-duration: the owner may end that doubt too.
 *   <li>When the application stops, everything is tried once more, until the store fails again.
 * </ul>
 */
final class PendingEnds implements AutoCloseable {

    private static final Logger logger = LoggerFactory.getLogger(PendingEnds.class);

    /** So many outcomes are kept in memory; what comes in excess is held without its outcome. */
    private static final int MAX_OUTCOMES = 1_000;

    private static final int MAX_ENDS = 100_000;

    private static final long FIRST_PAUSE = TimeUnit.MILLISECONDS.toNanos(100);

    private static final long SHORTEST_PAUSE = TimeUnit.MILLISECONDS.toNanos(5);

    private static final long LONGEST_PAUSE = TimeUnit.SECONDS.toNanos(5);

    private final LeaseRenewer renewer;

    private final ScheduledExecutorService scheduler;

    private final LongSupplier nanoClock;

    private final Set<PendingEnd> ends = ConcurrentHashMap.newKeySet();

    PendingEnds(LeaseRenewer renewer, ScheduledExecutorService scheduler, LongSupplier nanoClock) {
        this.renewer = renewer;
        this.scheduler = scheduler;
        this.nanoClock = nanoClock;
    }

    /**
     * An end that waits for the store.
     *
     * @param onAbandoned what becomes of the record when the lease is over
     * @param recording records an end of this execution; throws {@link IdempotencyStoreException}
     */
    record PendingEnd(Lease lease, ExecutionEnd end, OnAbandoned onAbandoned, Consumer<ExecutionEnd> recording) {

        PendingEnd held() {
            return new PendingEnd(lease, new ExecutionEnd.Hold(), onAbandoned, recording);
        }

        boolean isOutcome() {
            return end instanceof ExecutionEnd.Complete;
        }

        /** Says whether the end of the lease frees the key as well. */
        boolean comesByItself() {
            return end instanceof ExecutionEnd.Release && onAbandoned == OnAbandoned.RETRY;
        }
    }

    void add(PendingEnd end) {
        if (!(end.end() instanceof ExecutionEnd.Release)) {
            renewer.watch(end.lease());
        }
        if (ends.size() >= MAX_ENDS) {
            giveUp(end, "too many ends wait for the store");
        } else {
            schedule(end.isOutcome() && ends.size() >= MAX_OUTCOMES ? end.held() : end, FIRST_PAUSE);
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the task reports its own failures
    private void schedule(PendingEnd end, long pause) {
        ends.add(end);
        try {
            scheduler.schedule(() -> tryAgain(end, pause), pause, TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException closed) {
            giveUp(end, "the application stops");
        }
    }

    private void tryAgain(PendingEnd waiting, long pause) {
        ends.remove(waiting);
        PendingEnd end = isTooLate(waiting) ? waiting.held() : waiting;
        try {
            end.recording().accept(end.end());
        } catch (IdempotencyStoreException failure) {
            if (isOver(end)) {
                giveUp(end, failure.getMessage());
            } else {
                schedule(end, nextPause(end, pause));
            }
        }
    }

    private boolean isOver(PendingEnd end) {
        boolean expected = !end.comesByItself() && !end.lease().isPastMaxDuration(nanoClock.getAsLong());
        return !expected && end.lease().isLost();
    }

    private boolean isTooLate(PendingEnd end) {
        return end.isOutcome() && end.lease().isPastMaxDuration(nanoClock.getAsLong());
    }

    /** The try at max-duration must not come late: it holds the record while the last lease still runs. */
    private long nextPause(PendingEnd end, long pause) {
        long longer = Math.min(2 * pause, LONGEST_PAUSE);
        return end.isOutcome()
                ? Math.min(longer, Math.max(end.lease().nanosUntilMaxDuration(nanoClock.getAsLong()), SHORTEST_PAUSE))
                : longer;
    }

    private void giveUp(PendingEnd end, @Nullable String reason) {
        ends.remove(end);
        renewer.forget(end.lease());
        logger.error(
                "The end of operation {} was not recorded; its lease decides what happens next: {}",
                end.lease().claim().identity(),
                reason);
    }

    @Override
    public void close() {
        scheduler.shutdownNow();
        boolean storeAnswers = true;
        for (PendingEnd end : ends) {
            storeAnswers = storeAnswers && isRecorded(end);
            if (!storeAnswers) {
                giveUp(end, "the application stops");
            }
        }
    }

    private static boolean isRecorded(PendingEnd end) {
        try {
            end.recording().accept(end.end());
            return true;
        } catch (IdempotencyStoreException failure) {
            logger.debug("The store does not take what waits for it", failure);
            return false;
        }
    }
}
