package io.idempotency.interceptor;

import io.idempotency.core.IdempotencyOperations;
import io.idempotency.core.IdempotencyRequest;
import io.idempotency.core.IdempotentResult;
import io.idempotency.core.OutcomeCodec;
import io.idempotency.core.OutcomeCodecFactory;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodClassKey;

/** Calls methods whose outcome is their return value, or the value of the future that they return. */
final class OrdinaryCalls {

    private final Supplier<? extends IdempotencyOperations> operations;

    private final Supplier<? extends OutcomeCodecFactory> codecs;

    private final OrdinaryCallRequests requests;

    private final Map<MethodClassKey, Recording> recordings = new ConcurrentHashMap<>();

    OrdinaryCalls(
            Supplier<? extends IdempotencyOperations> operations,
            Supplier<? extends OutcomeCodecFactory> codecs,
            OrdinaryCallRequests requests) {
        this.operations = operations;
        this.codecs = codecs;
        this.requests = requests;
    }

    @Nullable
    // NullAway knows nullable type arguments in JSpecify mode only, which needs a newer JDK; the caller gets the
    // future.
    @SuppressWarnings({"NullAway", "FutureReturnValueIgnored"})
    Object call(MethodInvocation invocation, IdempotentMethod method) throws Throwable {
        Recording recording = recordings.computeIfAbsent(
                new MethodClassKey(method.method(), method.targetClass()), key -> Recording.of(method, codecs.get()));
        IdempotencyRequest request = requests.of(invocation, method);
        if (recording.later()) {
            return answer(operations.get().executeAsync(request, recording.codec(), () -> stage(invocation, method)));
        }
        return operations
                .get()
                .execute(request, recording.codec(), invocation::proceed)
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
                boolean wrapped = failure instanceof CompletionException && failure.getCause() != null;
                answer.completeExceptionally(wrapped ? failure.getCause() : failure);
            }
        });
        return answer;
    }

    /**
     * How the return value of a method is recorded.
     *
     * @param later whether the method returns a future of it
     */
    record Recording(OutcomeCodec<@Nullable Object> codec, boolean later) {

        /**
         * Finds out how a method is recorded.
         *
         * @throws InvalidIdempotentMethodException if its return value cannot be recorded
         */
        static Recording of(IdempotentMethod method, OutcomeCodecFactory codecs) {
            try {
                ReturnValue value = ReturnValue.of(method.method(), method.targetClass());
                return new Recording(codecs.codecFor(value.type()), value.later());
            } catch (IllegalArgumentException unrecordable) {
                throw new InvalidIdempotentMethodException(
                        "The return value of %s cannot be replayed. %s"
                                .formatted(
                                        Signature.of(method.method(), method.targetClass()), unrecordable.getMessage()),
                        unrecordable);
            }
        }
    }
}
