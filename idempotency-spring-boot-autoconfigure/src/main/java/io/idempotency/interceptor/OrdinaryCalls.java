package io.idempotency.interceptor;

import io.idempotency.core.CompletionFailure;
import io.idempotency.core.IdempotencyOperations;
import io.idempotency.core.IdempotencyRequest;
import io.idempotency.core.IdempotentResult;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/** Calls methods whose outcome is their return value, or the value of the future that they return. */
final class OrdinaryCalls {

    private final Supplier<? extends IdempotencyOperations> operations;

    private final RecordedValues recordedValues;

    private final OrdinaryCallRequests requests;

    OrdinaryCalls(
            Supplier<? extends IdempotencyOperations> operations,
            RecordedValues recordedValues,
            OrdinaryCallRequests requests) {
        this.operations = operations;
        this.recordedValues = recordedValues;
        this.requests = requests;
    }

    // NullAway knows nullable type arguments in JSpecify mode only, which needs a newer JDK. The caller gets the
    // future.
    @SuppressWarnings({"NullAway", "FutureReturnValueIgnored"})
    @Nullable
    Object call(MethodInvocation invocation, IdempotentMethod method) throws Throwable {
        RecordedValue value = recordedValues.of(method);
        IdempotencyRequest request = requests.of(invocation, method);
        if (value.later()) {
            return answer(operations.get().executeAsync(request, value.codec(), () -> stage(invocation, method)));
        }
        return operations
                .get()
                .execute(request, value.codec(), invocation::proceed)
                .value();
    }

    @SuppressWarnings("unchecked") // the recording of the method says that it returns a stage of such values
    private static CompletionStage<@Nullable Object> stage(MethodInvocation invocation, IdempotentMethod method)
            throws Throwable {
        Object stage = invocation.proceed();
        if (stage == null) {
            throw new IllegalStateException(
                    Signature.of(method.method(), method.targetClass()) + " returned null instead of a future");
        }
        return (CompletionStage<@Nullable Object>) stage;
    }

    /** Ends as the future of the method ended: with the same exception, and not wrapped. */
    @SuppressWarnings("FutureReturnValueIgnored") // the answer says how it ended
    private static CompletableFuture<@Nullable Object> answer(
            CompletableFuture<IdempotentResult<@Nullable Object>> execution) {
        CompletableFuture<@Nullable Object> answer = new CompletableFuture<>();
        execution.whenComplete((result, failure) -> {
            if (failure == null) {
                answer.complete(result.value());
            } else {
                answer.completeExceptionally(CompletionFailure.causeOf(failure));
            }
        });
        return answer;
    }
}
