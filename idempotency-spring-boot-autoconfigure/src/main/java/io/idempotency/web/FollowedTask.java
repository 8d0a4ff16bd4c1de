package io.idempotency.web;

import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.context.request.async.CallableProcessingInterceptor;

/** Follows to its end what Spring MVC runs on another thread for a handler that has returned. */
final class FollowedTask implements CallableProcessingInterceptor {

    private final AtomicBoolean claimed = new AtomicBoolean();

    private final CompletableFuture<@Nullable Object> end = new CompletableFuture<>();

    @Override
    public <T> void preProcess(NativeWebRequest request, Callable<T> task) {
        if (!claimed.compareAndSet(false, true)) {
            throw notStarted();
        }
    }

    @Override
    public <T> void postProcess(NativeWebRequest request, Callable<T> task, @Nullable Object result) {
        if (result instanceof Throwable failure) {
            end.completeExceptionally(failure);
        } else {
            end.complete(result);
        }
    }

    /**
     * Returns the end of the task, to be asked for when the response has ended before it. A task that was not started yet
     * never will be, and has failed. Spring MVC interrupts one that runs, which may end it anywhere: a failure of it is given
     * as a cancellation, since it tells no more about what was done.
     */
    CompletionStage<?> end() {
        if (claimed.compareAndSet(false, true)) {
            end.completeExceptionally(notStarted());
            return end;
        }
        return end.handle((result, failure) -> {
            if (failure != null) {
                throw new CancellationException("The task may have been interrupted");
            }
            return result;
        });
    }

    private static RejectedExecutionException notStarted() {
        return new RejectedExecutionException("The response has ended before the task was started");
    }
}
