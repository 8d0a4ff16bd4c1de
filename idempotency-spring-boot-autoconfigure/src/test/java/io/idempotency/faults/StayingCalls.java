package io.idempotency.faults;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * Calls that a {@link ForkedJvm} makes all at once. Each comes to a point of its own and stays there until the JVM is let go,
 * or killed.
 */
final class StayingCalls {

    private final CountDownLatch missing;

    private final CountDownLatch end = new CountDownLatch(1);

    StayingCalls(int calls) {
        this.missing = new CountDownLatch(calls);
    }

    /** Stays, on the thread that has come to the point of a call. */
    void stay() {
        missing.countDown();
        try {
            end.await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Makes the calls, and returns what they give once the JVM was let go.
     *
     * @throws IllegalStateException if one of them ends without having come to its point
     */
    <T> List<T> makeAll(Path directory, List<? extends Callable<T>> calls)
            throws IOException, InterruptedException, ExecutionException {
        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            List<Future<T>> running = new ArrayList<>();
            for (Callable<T> call : calls) {
                running.add(threads.submit(() -> make(call)));
            }
            if (!missing.await(2, TimeUnit.MINUTES)) {
                throw new IllegalStateException("%d calls are not at their points".formatted(missing.getCount()));
            }
            for (Future<T> call : running) {
                if (call.isDone()) {
                    throw new IllegalStateException("A call ended before its time: " + call.get());
                }
            }
            ForkedJvm.stay(directory);
            end.countDown();
            List<T> results = new ArrayList<>();
            for (Future<T> call : running) {
                results.add(call.get());
            }
            return results;
        } finally {
            end.countDown();
            threads.shutdownNow();
        }
    }

    private <T> T make(Callable<T> call) throws Exception {
        try {
            return call.call();
        } finally {
            missing.countDown();
        }
    }
}
