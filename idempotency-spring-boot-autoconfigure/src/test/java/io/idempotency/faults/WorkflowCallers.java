package io.idempotency.faults;

import static org.awaitility.Awaitility.await;

import io.idempotency.core.ClaimRequest;
import io.idempotency.core.IdempotentResult;
import io.idempotency.core.Identity;
import io.idempotency.core.OwnerToken;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** As many callers as there are calls, which may be the same; all call at once, and wait for one another. */
final class WorkflowCallers implements StepObserver, AutoCloseable {

    /** Far above what a lease and all of the work take. */
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final Set<OwnerToken> answered = ConcurrentHashMap.newKeySet();

    private final List<Future<End>> ends = new ArrayList<>();

    private final ExecutorService threads = Executors.newCachedThreadPool();

    private final Workflow workflow;

    /**
     * How a call ended.
     *
     * @param how {@code executed} or {@code replayed}, or the name of the exception
     * @param result what it gave; empty if it gave nothing
     */
    record End(String key, String how, String result) {

        private String toLine() {
            return String.join(",", key, how, result);
        }

        private static End ofLine(String line) {
            String[] parts = line.split(",", -1);
            return new End(parts[0], parts[1], parts[2]);
        }
    }

    WorkflowCallers(WorkflowPlaces places, List<WorkflowCall> calls) {
        workflow = new Workflow(places, this);
        calls.forEach(call -> ends.add(threads.submit(() -> end(call))));
    }

    /** Starts callers in a JVM of their own. */
    static ForkedJvm start(WorkflowPlaces places, List<WorkflowCall> calls, Path directory) throws IOException {
        return ForkedJvm.start(WorkflowCallers.class, directory, places.toArguments(calls));
    }

    /** Lets callers in a JVM of their own go on, and returns when and how all have ended. */
    static List<End> ends(ForkedJvm callers) throws IOException, InterruptedException {
        return callers.letGo().stream().map(End::ofLine).toList();
    }

    private End end(WorkflowCall call) {
        try {
            IdempotentResult<String> result = workflow.run(call, PATIENCE);
            return new End(call.key(), result.replayed() ? "replayed" : "executed", result.value());
        } catch (RuntimeException failure) {
            return new End(call.key(), failure.getClass().getSimpleName(), "");
        }
    }

    @Override
    public void reached(Identity operation, String step, StepPoint point) {}

    @Override
    public void claimAnswered(ClaimRequest request) {
        answered.add(request.owner());
    }

    /** Returns when the store has answered each of them once, so that all but those who execute are waiting. */
    void awaitMeeting() {
        await().atMost(PATIENCE).until(() -> answered.size() == ends.size());
    }

    /** Returns when and how all have ended. */
    List<End> ends() throws ExecutionException, InterruptedException, TimeoutException {
        List<End> all = new ArrayList<>();
        for (Future<End> end : ends) {
            all.add(end.get(2 * PATIENCE.toSeconds(), TimeUnit.SECONDS));
        }
        return all;
    }

    @Override
    public void close() {
        threads.shutdownNow();
        workflow.close();
    }

    /** The other JVM. */
    public static void main(String[] arguments) throws Exception {
        Path directory = Path.of(arguments[0]);
        try (WorkflowCallers callers =
                new WorkflowCallers(WorkflowPlaces.ofArguments(arguments), WorkflowPlaces.callsOf(arguments))) {
            callers.awaitMeeting();
            ForkedJvm.stay(directory);
            ForkedJvm.leave(directory, callers.ends().stream().map(End::toLine));
        }
    }
}
