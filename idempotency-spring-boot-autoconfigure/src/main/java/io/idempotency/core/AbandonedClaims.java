package io.idempotency.core;

import java.time.Duration;
import java.util.Iterator;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Releases claims whose reply never came, by their own token; whoever else holds the identity is not touched.
 *
 * <p>Such a claim may have been granted, or may even be granted yet, while the request is still on its way. So a release is
 * sent until it succeeds or the store has <em>answered</em> several of them while one lease passed. The time in which the
 * store is silent does not count: it may apply the claim when it comes back.
 *
 * <p>A claim that is not released keeps its identity until its lease is over, and leaves a doubt then where its policy is
 * {@link OnAbandoned#HOLD}.
 */
final class AbandonedClaims implements AutoCloseable {

    private static final Logger logger = LoggerFactory.getLogger(AbandonedClaims.class);

    /**
     * A silent store leaves at most {@link StoreThreads#MAX_THREADS} of them in each time limit: this many only if it is
     * silent for 40 of those under a flood of calls, 80 seconds by default. A store that refuses leaves them faster, but
     * most of what it refuses it has never seen.
     */
    static final int MAX_PENDING = 10_000;

    private static final long FIRST_PAUSE = TimeUnit.MILLISECONDS.toNanos(100);

    private static final long LONGEST_PAUSE = TimeUnit.SECONDS.toNanos(5);

    private static final long LAST_TRIES = TimeUnit.SECONDS.toNanos(3);

    private final IdempotencyStore store;

    private final WaitingRoom waitingRoom;

    private final ScheduledExecutorService scheduler;

    private final LongSupplier nanoClock;

    private final Set<Abandoned> pending = ConcurrentHashMap.newKeySet();

    private final AtomicLong dropped = new AtomicLong();

    AbandonedClaims(
            IdempotencyStore store,
            WaitingRoom waitingRoom,
            ScheduledExecutorService scheduler,
            LongSupplier nanoClock) {
        this.store = store;
        this.waitingRoom = waitingRoom;
        this.scheduler = scheduler;
        this.nanoClock = nanoClock;
    }

    private record Abandoned(Claim claim, Duration retention) {}

    private enum Answer {
        RELEASED,
        NOT_OWNED,
        NONE
    }

    void release(ClaimRequest request, Duration retention) {
        if (pending.size() >= MAX_PENDING) {
            if (dropped.getAndIncrement() == 0) {
                logger.warn(
                        "{} claims whose replies never came wait for their release, and no more are remembered: their keys"
                                + " are free when their leases are over",
                        MAX_PENDING);
            }
            return;
        }
        tellDropped();
        Abandoned abandoned =
                new Abandoned(new Claim(request.identity(), request.owner(), 0, request.lease()), retention);
        pending.add(abandoned);
        schedule(abandoned, FIRST_PAUSE, 0, false);
    }

    private void tellDropped() {
        long number = dropped.getAndSet(0);
        if (number > 0) {
            logger.warn("{} claims whose replies never came were not released", number);
        }
    }

    /**
     * @param answered for how long the store has answered that the claim is not there
     * @param answers whether it did so just now: the pause counts if it does so after it too
     */
    @SuppressWarnings("FutureReturnValueIgnored") // the task reports its own failures
    private void schedule(Abandoned abandoned, long pause, long answered, boolean answers) {
        try {
            scheduler.schedule(() -> tryRelease(abandoned, pause, answered, answers), pause, TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException closed) {
            logger.debug(
                    "The application stops; the lease of {} decides",
                    abandoned.claim().identity(),
                    closed);
        }
    }

    private void tryRelease(Abandoned abandoned, long pause, long answered, boolean answers) {
        if (!pending.contains(abandoned)) {
            return;
        }
        switch (sendRelease(abandoned)) {
            case RELEASED -> pending.remove(abandoned);
            case NOT_OWNED -> {
                long total = answers ? answered + pause : answered;
                if (total < abandoned.claim().lease().toNanos()) {
                    schedule(abandoned, Math.max(FIRST_PAUSE, total), total, true);
                } else {
                    pending.remove(abandoned);
                }
            }
            case NONE -> schedule(abandoned, Math.min(2 * pause, LONGEST_PAUSE), answered, false);
        }
    }

    private Answer sendRelease(Abandoned abandoned) {
        Claim claim = abandoned.claim();
        try {
            if (store.release(claim, abandoned.retention()) == Ownership.LOST) {
                return Answer.NOT_OWNED;
            }
        } catch (IdempotencyStoreException failure) {
            logger.debug("Releasing an unanswered claim on {} failed", claim.identity(), failure);
            return Answer.NONE;
        }
        logger.info("Released a claim on operation {} whose reply never came", claim.identity());
        waitingRoom.wakeOne(claim.identity());
        return Answer.RELEASED;
    }

    /** Sends every release, until the store fails. What is not released goes on waiting. */
    void tryNow() {
        Iterator<Abandoned> waiting = pending.iterator();
        while (waiting.hasNext()) {
            Answer answer = sendRelease(waiting.next());
            if (answer == Answer.NONE) {
                return;
            }
            if (answer == Answer.RELEASED) {
                waiting.remove();
            }
        }
    }

    /** Sends every release once more, until the store fails, for a few seconds at most. */
    @Override
    public void close() {
        scheduler.shutdownNow();
        tellDropped();
        long deadline = nanoClock.getAsLong() + LAST_TRIES;
        boolean storeAnswers = true;
        int left = 0;
        for (Abandoned abandoned : pending) {
            storeAnswers =
                    storeAnswers && nanoClock.getAsLong() - deadline < 0 && sendRelease(abandoned) != Answer.NONE;
            left += storeAnswers ? 0 : 1;
        }
        if (left > 0) {
            logger.warn("The application stops; {} claims whose replies never came are not released", left);
        }
    }
}
