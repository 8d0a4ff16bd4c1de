package io.idempotency.core;

import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Releases claims whose reply never came. Such a claim may have been granted, or may even be granted yet, when the
 * request was still on its way; so the release is sent several times while one lease passes, by the claim's own token.
 * Whoever else holds the identity is not touched.
 */
final class AbandonedClaims {

    private static final Logger logger = LoggerFactory.getLogger(AbandonedClaims.class);

    private static final int MAX_PENDING = 1_000;

    private static final long FIRST_PAUSE = TimeUnit.MILLISECONDS.toNanos(100);

    private final IdempotencyStore store;

    private final WaitingRoom waitingRoom;

    private final ScheduledExecutorService scheduler;

    private final AtomicInteger pending = new AtomicInteger();

    AbandonedClaims(IdempotencyStore store, WaitingRoom waitingRoom, ScheduledExecutorService scheduler) {
        this.store = store;
        this.waitingRoom = waitingRoom;
        this.scheduler = scheduler;
    }

    void release(ClaimRequest request, Duration retention) {
        if (pending.get() < MAX_PENDING) {
            Claim claim = new Claim(request.identity(), request.owner(), 0, request.lease());
            schedule(claim, retention, FIRST_PAUSE, 0);
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the task reports its own failures
    private void schedule(Claim claim, Duration retention, long pause, long waited) {
        pending.incrementAndGet();
        try {
            scheduler.schedule(() -> tryRelease(claim, retention, pause, waited), pause, TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException closed) {
            logger.debug("The application stops; the lease of {} decides", claim.identity());
        }
    }

    private void tryRelease(Claim claim, Duration retention, long pause, long waited) {
        pending.decrementAndGet();
        if (!isReleased(claim, retention) && waited < claim.lease().toNanos()) {
            schedule(claim, retention, 2 * pause, waited + pause);
        }
    }

    private boolean isReleased(Claim claim, Duration retention) {
        try {
            if (store.release(claim, retention) == Ownership.LOST) {
                return false;
            }
        } catch (IdempotencyStoreException failure) {
            logger.debug("Releasing an unanswered claim on {} failed", claim.identity(), failure);
            return false;
        }
        logger.info("Released a claim on operation {} whose reply never came", claim.identity());
        waitingRoom.wakeOne(claim.identity());
        return true;
    }
}
