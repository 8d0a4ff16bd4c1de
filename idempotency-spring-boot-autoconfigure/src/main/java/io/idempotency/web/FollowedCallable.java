package io.idempotency.web;

import io.idempotency.core.Execution;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** What a handler left to another thread. It runs in the operation of the handler, and its end can be followed. */
final class FollowedCallable implements Callable<@Nullable Object> {

    private final Callable<?> task;

    private final Execution execution;

    private final AtomicBoolean claimed = new AtomicBoolean();

    private final CompletableFuture<@Nullable Object> end = new CompletableFuture<>();

    FollowedCallable(Callable<?> task, Execution execution) {
        this.task = task;
        this.execution = execution;
    }

    @Override
    public @Nullable Object call() throws Exception {
        if (!claimed.compareAndSet(false, true)) {
            throw notStarted();
        }
        try {
            Object value = execution.<@Nullable Object, Exception>call(task::call);
            end.complete(value);
            return value;
        } catch (Throwable failure) {
            end.completeExceptionally(failure);
            throw failure;
        }
    }

    /** Returns the end of the task. One that was not started yet never will be, and has failed. */
    CompletionStage<?> end() {
        if (claimed.compareAndSet(false, true)) {
            end.completeExceptionally(notStarted());
        }
        return end;
    }

    private static RejectedExecutionException notStarted() {
        return new RejectedExecutionException("The response has ended before the task was started");
    }
}
