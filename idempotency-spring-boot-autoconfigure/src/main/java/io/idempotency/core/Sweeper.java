package io.idempotency.core;

import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes the expired records of a store in the background, batch after batch as long as there are enough for a whole one.
 *
 * <p>One node at a time is enough; that several do it harms nothing, and they start at random moments so as not to meet. A
 * failure is told once, tried again next time with a smaller batch, and does no harm meanwhile: expired records count as
 * forgotten anyway.
 */
public final class Sweeper implements AutoCloseable {

    private static final Logger logger = LoggerFactory.getLogger(Sweeper.class);

    /** Leaves the store to others between two batches. */
    private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(10);

    /** The part of the interval by which it differs from one time to the next. */
    private static final double JITTER = 0.2;

    private static final long LAST_BATCH_SECONDS = 5;

    private final SweepableStore store;

    private final long interval;

    private final int batchSize;

    private final ScheduledThreadPoolExecutor scheduler =
            new ScheduledThreadPoolExecutor(1, new DaemonThreads("idempotency-sweeper"));

    /** Whether the last batch failed. Seen by the one thread of the scheduler only, as is the next field. */
    private boolean failing;

    /** Halved by a failure, which may have been for lack of time, and doubled by a success. */
    private int nextBatchSize;

    /**
     * Makes a sweeper that is yet to be started.
     *
     * @param interval from the last batch of a sweep to the next sweep
     * @param batchSize how many records are deleted at once
     * @throws IllegalArgumentException if one of them is not positive
     */
    public Sweeper(SweepableStore store, Duration interval, int batchSize) {
        if (interval.isNegative() || interval.isZero()) {
            throw new IllegalArgumentException("The interval is " + interval + ", but must be positive");
        }
        if (batchSize <= 0) {
            throw new IllegalArgumentException("The batch size is " + batchSize + ", but must be positive");
        }
        this.store = store;
        this.interval = TimeUnit.NANOSECONDS.convert(interval);
        this.batchSize = batchSize;
        this.nextBatchSize = batchSize;
        scheduler.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    /** Begins within one interval. */
    public void start() {
        schedule(ThreadLocalRandom.current().nextLong(interval));
    }

    /** Begins at once. */
    void sweepNow() {
        schedule(0);
    }

    private void sweep() {
        boolean isWhole = false;
        try {
            isWhole = store.sweep(nextBatchSize) >= nextBatchSize;
            succeeded();
        } catch (RuntimeException failure) {
            failed(failure);
        } finally {
            schedule(isWhole ? PAUSE : nextInterval());
        }
    }

    private void succeeded() {
        if (failing) {
            logger.info("Deleting expired records succeeds again");
        }
        failing = false;
        nextBatchSize = (int) Math.min(batchSize, 2L * nextBatchSize);
    }

    private void failed(RuntimeException failure) {
        if (failing) {
            logger.debug("Deleting expired records still fails", failure);
        } else {
            logger.warn("Deleting expired records failed and is tried again", failure);
        }
        failing = true;
        nextBatchSize = Math.max(1, nextBatchSize / 2);
    }

    private long nextInterval() {
        return (long) (interval * (1 + ThreadLocalRandom.current().nextDouble(-JITTER, JITTER)));
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the task reports its own failures
    private void schedule(long delay) {
        try {
            scheduler.schedule(this::sweep, delay, TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException closed) {
            logger.debug("The application stops; expired records are deleted no more", closed);
        }
    }

    /** Starts no other batch, and waits a few seconds for the one under way. */
    @Override
    public void close() {
        scheduler.shutdown();
        try {
            if (!scheduler.awaitTermination(LAST_BATCH_SECONDS, TimeUnit.SECONDS)) {
                logger.info("A batch of expired records is still being deleted");
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
