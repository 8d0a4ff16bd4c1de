package io.idempotency.core;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * Sends verbs to a store on threads of their own, so that no caller waits for longer than the time limit, whatever the
 * time-outs of the client library are.
 *
 * <p>A verb that was given up keeps its thread until its client gives up too, so the number of threads is limited. Beyond
 * it, callers wait for a thread as part of their time limit, and who came first goes first.
 */
final class StoreThreads {

    static final int MAX_THREADS = 256;

    private final Duration timeout;

    private final ThreadPoolExecutor threads;

    private final Semaphore free = new Semaphore(MAX_THREADS, true);

    private volatile long answeredAt = System.nanoTime();

    /** They end by themselves when they have been idle for a while. */
    StoreThreads(String name, Duration timeout) {
        this.timeout = timeout;
        this.threads = new ThreadPoolExecutor(
                0, Integer.MAX_VALUE, 30, TimeUnit.SECONDS, new SynchronousQueue<>(), new DaemonThreads(name));
    }

    /** Has threads end as soon as they are idle, from now on. Verbs are sent as before. */
    void keepNoneIdle() {
        threads.setKeepAliveTime(0, TimeUnit.SECONDS);
    }

    /**
     * Sends a verb and waits for the answer.
     *
     * @throws StoreSaturatedException if there was no thread for it within the time limit, so that it was not sent; or no
     *     answer, although others were answered meanwhile
     * @throws IdempotencyStoreException if nobody was answered within the time limit, or the calling thread was interrupted;
     *     the verb is sent all the same if there was a thread for it at once
     * @throws ExecutionException if the store threw what its cause is
     */
    <T> T call(String verb, Supplier<T> call) throws ExecutionException {
        long begin = System.nanoTime();
        long deadline = begin + timeout.toNanos();
        try {
            return submit(verb, call, deadline).get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException silent) {
            // Not interrupted: an interrupt in the middle of a write makes some drivers break the connection.
            if (hasAnsweredSince(begin)) {
                throw StoreSaturatedException.notAnswered(verb, timeout, silent);
            }
            throw new IdempotencyStoreException("The store did not answer within " + timeout + ": " + verb, silent);
        } catch (ExecutionException failed) {
            // The client's own time limit may be over a moment before: in a pool of connections, say.
            if (System.nanoTime() - begin >= timeout.toNanos() / 10 * 9 && hasAnsweredSince(begin)) {
                throw StoreSaturatedException.notAnswered(verb, timeout, failed);
            }
            throw failed;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IdempotencyStoreException("Interrupted while waiting for the store: " + verb, interrupted);
        }
    }

    private boolean hasAnsweredSince(long begin) {
        return answeredAt - begin >= 0;
    }

    /** An interrupted thread that need not wait goes on: what it has done is to be recorded. */
    private boolean tryAcquire(long deadline) throws InterruptedException {
        return (!free.hasQueuedThreads() && free.tryAcquire())
                || free.tryAcquire(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
    }

    private <T> Future<T> submit(String verb, Supplier<T> call, long deadline) throws InterruptedException {
        if (!tryAcquire(deadline)) {
            throw StoreSaturatedException.notSent(verb, timeout, !hasAnsweredSince(deadline - timeout.toNanos()));
        }
        Callable<T> answered = () -> {
            try {
                T answer = call.get();
                answeredAt = System.nanoTime();
                return answer;
            } finally {
                free.release();
            }
        };
        try {
            return threads.submit(answered);
        } catch (Throwable noThread) {
            free.release();
            throw noThread;
        }
    }
}
