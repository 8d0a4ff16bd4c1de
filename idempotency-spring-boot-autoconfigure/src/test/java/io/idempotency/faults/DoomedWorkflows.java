package io.idempotency.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Calls of workflows in a JVM of its own, each of which stays at another point for the JVM to be killed there. */
final class DoomedWorkflows {

    private DoomedWorkflows() {}

    /** Starts a JVM and returns when each of its calls has come to its point. */
    static ForkedJvm startAndAwait(WorkflowPlaces places, List<WorkflowCall> calls, Path directory) throws IOException {
        ForkedJvm started = ForkedJvm.start(DoomedWorkflows.class, directory, places.toArguments(calls));
        started.awaitPoint();
        return started;
    }

    /** The other JVM. */
    public static void main(String[] arguments) throws IOException, InterruptedException, ExecutionException {
        List<WorkflowCall> calls = WorkflowPlaces.callsOf(arguments);
        CountDownLatch missing = new CountDownLatch(calls.size());
        CountDownLatch end = new CountDownLatch(1);
        ExecutorService threads = Executors.newCachedThreadPool();
        try (Workflow workflow = new Workflow(WorkflowPlaces.ofArguments(arguments), (operation, step, point) -> {
            if (calls.stream().anyMatch(call -> call.isAt(operation, step, point))) {
                missing.countDown();
                awaitEnd(end);
            }
        })) {
            List<Future<?>> running = calls.stream()
                    .<Future<?>>map(call -> threads.submit(() -> {
                        try {
                            workflow.run(call, Duration.ZERO);
                        } finally {
                            missing.countDown();
                        }
                    }))
                    .toList();
            assertThat(missing.await(2, TimeUnit.MINUTES)).isTrue();
            for (Future<?> call : running) {
                if (call.isDone()) {
                    throw new IllegalStateException("A call ended before its time: " + call.get());
                }
            }
            ForkedJvm.stay(Path.of(arguments[0]));
        } finally {
            end.countDown();
            threads.shutdownNow();
        }
    }

    private static void awaitEnd(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
