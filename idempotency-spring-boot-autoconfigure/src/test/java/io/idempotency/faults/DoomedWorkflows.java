package io.idempotency.faults;

import io.idempotency.core.IdempotentResult;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;

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
        StayingCalls staying = new StayingCalls(calls.size());
        try (Workflow workflow = new Workflow(WorkflowPlaces.ofArguments(arguments), (operation, step, point) -> {
            if (calls.stream().anyMatch(call -> call.isAt(operation, step, point))) {
                staying.stay();
            }
        })) {
            staying.makeAll(
                    Path.of(arguments[0]),
                    calls.stream()
                            .<Callable<IdempotentResult<String>>>map(call -> () -> workflow.run(call, Duration.ZERO))
                            .toList());
        }
    }
}
