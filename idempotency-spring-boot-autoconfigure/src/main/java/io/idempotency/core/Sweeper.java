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
 * batch that fails is followed by one of half its size, since it may have been too large for the time that a store has; from
 * one interval to the next without a failure, batches grow again. A failure is told once and does no harm meanwhile: expired
 * records count as forgotten anyway.
 */
public final class Sweeper implements AutoCloseable {

    private static final Logger logger = LoggerFactory.getLogger(Sweeper.class);

    /** Leaves the store to others between two batches. */
    private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(10);

    /** The part of the interval by which it differs from one time to the next. */
    private static final double JITTER = 0.2;

    /** A batch grows by the tenth part of its full size. */
    private static final int GROWTH = 10;

    private static final long LAST_BATCH_SECONDS = 5;

    private final SweepableStore store;

    private final long interval;

    private final int batchSize;

    private final ScheduledThreadPoolExecutor scheduler =
            new ScheduledThreadPoolExecutor(1, new DaemonThreads("idempotency-sweeper"));

    /** Whether the last batch failed. Seen by the one thread of the scheduler only, as are the next fields. */
    private boolean failing;

    private int nextBatchSize;

    /** When the size of the next batch was last changed, on the clock of this JVM. */
    private long resized;

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
        boolean goesOn = false;
        int size = nextBatchSize;
        try {
            goesOn = store.sweep(size) >= size;
            succeeded();
        } catch (RuntimeException failure) {
            goesOn = size > 1;
            failed(failure);
        } finally {
            schedule(goesOn ? PAUSE : nextInterval());
        }
    }

    private void succeeded() {
        if (failing) {
            logger.info("Deleting expired records succeeds again, {} at once", nextBatchSize);
        }
        failing = false;
        if (nextBatchSize < batchSize && System.nanoTime() - resized >= interval) {
            resize((int) Math.min(batchSize, nextBatchSize + Math.max(1L, batchSize / GROWTH)));
        }
    }

    private void failed(RuntimeException failure) {
        if (failing) {
            logger.debug("Deleting expired records still fails", failure);
        } else {
            logger.warn(
                    "Deleting {} expired records at once failed and is tried again with fewer. If that took too long, lower"
                            + " idempotency.jdbc.cleanup.batch-size",
                    nextBatchSize,
                    failure);
        }
        failing = true;
        resize(Math.max(1, nextBatchSize / 2));
    }

    private void resize(int size) {
        nextBatchSize = size;
        resized = System.nanoTime();
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
