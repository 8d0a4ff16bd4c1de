package io.idempotency.web;

import io.idempotency.core.CompletionFailure;
import io.idempotency.core.Execution;
import io.idempotency.core.IdempotencyException;
import io.idempotency.core.OnFailure;
import io.idempotency.core.OperationPolicy;
import io.idempotency.core.Outcome;
import io.idempotency.core.RecordedFailureException;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.web.context.request.async.WebAsyncUtils;

/** The execution of one handler, and the rules by which its response, or what it threw, becomes its end. */
final class HandlerExecution {

    private static final String UNRENDERED = "its result could not be made a response";

    private static final Logger logger = LoggerFactory.getLogger(HandlerExecution.class);

    private final Execution execution;

    private final OperationPolicy policy;

    private @Nullable Throwable failure;

    private boolean running;

    private boolean begun;

    private boolean refused;

    private boolean returned;

    private boolean unrendered;

    private boolean streamed;

    private boolean ended;

    private @Nullable Supplier<CompletionStage<?>> followed;

    private volatile boolean detached;

    HandlerExecution(Execution execution, OperationPolicy policy) {
        this.execution = execution;
        this.policy = policy;
    }

    /** Says whether a status means "not now" or "not you": the same request may well be answered otherwise later. */
    private static boolean isNeverRecorded(int status) {
        return switch (status) {
            case 401, 403, 408, 425, 429 -> true;
            default -> false;
        };
    }

    /** Says whether a response with this status tells of a failure, of the handler or of this one try. */
    static boolean isFailure(int status) {
        return status >= 500 || isNeverRecorded(status);
    }

    /**
     * Runs the handler. What it leaves to run after its return is followed, where that is possible.
     *
     * @param request the request that the handler is given
     */
    @SuppressWarnings("NullAway") // the work's type is nullable here, which NullAway cannot tell on Java 17
    @Nullable
    Object run(MethodInvocation invocation, HttpServletRequest request) throws Throwable {
        Object result;
        boolean outermost = !running;
        Throwable failureBefore = failure;
        boolean unrenderedBefore = unrendered;
        running = true;
        refused = false;
        returned = false;
        try {
            result = execution.<@Nullable Object, Throwable>call(invocation::proceed);
        } catch (Throwable thrown) {
            // Once it has begun, whatever is refused is something that it does.
            refused = !begun && outermost && HandlerRefusals.isOfArguments(invocation, thrown);
            failed(thrown);
            throw thrown;
        } finally {
            begun |= !refused;
            running = !outermost;
        }
        if (LaterResults.isStream(result)) {
            // Only now can it be seen; what it will send is known to nobody.
            execution.complete(Outcome.tombstone("its response is a stream"));
            streamed = true;
            ended = true;
        }
        if (outermost) {
            // What failed inside of it, such as a fragment that it includes, was its own to answer. What failed before
            // it is not: it may be the page that tells of that.
            failure = failureBefore;
            unrendered = unrenderedBefore;
            returned = !LaterResults.isLater(result);
        }
        return followed(result, invocation.getMethod().getReturnType(), request);
    }

    /**
     * Notes what the work that went on after the handler's return has come to.
     *
     * @param result the result, or what the work threw
     */
    void cameTo(@Nullable Object result) {
        returned = !(result instanceof Throwable) && !LaterResults.isLater(result);
    }

    /** Forgets how the handler ended, since it is run again from its beginning. */
    void startOver() {
        execution.startOver();
        failure = null;
        unrendered = false;
        followed = null;
    }

    /** Says whether the handler answers by a stream, which cannot be held back. */
    boolean isStreamed() {
        return streamed;
    }

    private @Nullable Object followed(@Nullable Object result, Class<?> returnType, HttpServletRequest request) {
        if (result instanceof CompletionStage<?> stage) {
            followed = () -> stage;
            // Spring may cancel the future it gets when the response times out, which does not end the work.
            return stage instanceof CompletableFuture<?> future && returnType.isAssignableFrom(CompletableFuture.class)
                    ? future.copy()
                    : stage;
        }
        if (LaterResults.isTask(result)) {
            FollowedTask task = new FollowedTask();
            WebAsyncUtils.getAsyncManager(request).registerCallableInterceptor(this, task);
            followed = task::end;
        }
        if (result instanceof Callable<?> callable && returnType == Callable.class) {
            Callable<@Nullable Object> inOperation = () -> execution.<@Nullable Object, Exception>call(callable::call);
            return inOperation;
        }
        return result;
    }

    /** Notes what the handler threw, or what went wrong after it; the first one counts. */
    void failed(Throwable thrown) {
        if (failure == null) {
            failure = thrown;
            // The handler has done its work, and its result could not be made a response: it must not work again.
            unrendered = returned;
        }
    }

    /** Notes that the response ends before the work does: it timed out, or the client is gone. */
    void detach() {
        detached = true;
    }

    /**
     * Ends the execution by its response, unless it has ended before its response: that was too large, or is a stream.
     *
     * @param status the status of the response
     * @param outcome what is recorded if the response is an outcome
     */
    void answered(int status, Supplier<Outcome> outcome) {
        if (ended) {
            return;
        }
        ended = true;
        if (detached) {
            follow();
        } else if (unrendered) {
            // Whatever has refused to render its result, the handler must not work again.
            execution.complete(isOutcome(status) ? encoded(outcome) : Outcome.tombstone(UNRENDERED));
        } else if (isRefusal(failure)) {
            // Another operation did not run: that says nothing final about this one.
            execution.releaseOrHold();
        } else if (refused) {
            execution.release();
        } else if (isCancellation(failure) && isFailure(status)) {
            // Who cancels a future learns nothing about the work behind it.
            execution.hold();
        } else if (failure != null && execution.isInDoubt()) {
            // However its exception was answered, nobody knows what a step has done.
            execution.hold();
        } else if (isOutcome(status)) {
            execution.complete(encoded(outcome));
        } else {
            execution.releaseOrHold();
        }
    }

    private boolean isOutcome(int status) {
        return !isNeverRecorded(status)
                && !isRefusal(failure)
                && !isDenial(failure)
                && (status < 500 || policy.onFailure() == OnFailure.STORE || isRecordedFailure());
    }

    /** Whatever is thrown here, the execution has to end: its claim would be renewed, and then given to somebody else. */
    private static Outcome encoded(Supplier<Outcome> outcome) {
        try {
            return outcome.get();
        } catch (Throwable broken) {
            logger.warn("A response cannot be recorded, so it cannot be replayed", broken);
            return Outcome.tombstone(UNRENDERED);
        }
    }

    /** Ends the execution by a throwable that nobody has made a response of. */
    void leftBy(Throwable thrown) {
        failed(thrown);
        if (detached) {
            follow();
        } else if (unrendered) {
            execution.complete(Outcome.tombstone(UNRENDERED));
        } else {
            failedBy(isRefusal(thrown) ? thrown : Objects.requireNonNull(failure));
        }
    }

    /** Ends the execution by a failure that has no response. */
    private void failedBy(Throwable cause) {
        if (refused) {
            execution.release();
        } else if (isRefusal(cause) || isDenial(cause)) {
            execution.releaseOrHold();
        } else if (isCancellation(cause)) {
            execution.hold();
        } else {
            execution.fail(cause);
        }
    }

    private boolean isRecordedFailure() {
        return failure != null && policy.records(failure);
    }

    /** The future that the handler returned was cancelled, and that does not end its work. */
    private boolean isCancellation(@Nullable Throwable thrown) {
        return followed != null && thrown instanceof CancellationException;
    }

    private static boolean isRefusal(@Nullable Throwable thrown) {
        return thrown instanceof IdempotencyException && !(thrown instanceof RecordedFailureException);
    }

    /** The caller has not the right to something that the handler does, which may change before the next try. */
    private static boolean isDenial(@Nullable Throwable thrown) {
        return thrown != null && HandlerRefusals.isOfCaller(thrown);
    }

    /** Ends the execution as its work ends, now that the response cannot tell. */
    @SuppressWarnings("FutureReturnValueIgnored") // the ends of an execution report their own failures
    void follow() {
        if (followed == null) {
            execution.hold();
        } else {
            followed.get().whenComplete(this::workEnded);
        }
    }

    private void workEnded(@Nullable Object value, @Nullable Throwable thrown) {
        if (thrown != null) {
            failedBy(CompletionFailure.causeOf(thrown));
        } else if (isOutcome(LaterResults.status(value))) {
            execution.complete(Outcome.tombstone("the response had ended before the work did"));
        } else {
            execution.releaseOrHold();
        }
    }
}
