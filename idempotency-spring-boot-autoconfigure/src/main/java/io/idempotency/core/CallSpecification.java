package io.idempotency.core;

import java.lang.reflect.Type;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The fluent form of a request. */
record CallSpecification(IdempotencyOperations operations, OutcomeCodecFactory codecs, IdempotencyRequest request)
        implements IdempotencyOperations.CallSpec {

    @Override
    public IdempotencyOperations.CallSpec scope(String scope) {
        IdempotencyKey key = request.key();
        return with(new IdempotencyRequest(
                new IdempotencyKey(key.operation(), scope, key.value()), request.fingerprint(), request.policy()));
    }

    @Override
    public IdempotencyOperations.CallSpec fingerprint(Fingerprint fingerprint) {
        return with(new IdempotencyRequest(request.key(), fingerprint, request.policy()));
    }

    @Override
    public IdempotencyOperations.CallSpec policy(UnaryOperator<OperationPolicy> change) {
        return with(new IdempotencyRequest(request.key(), request.fingerprint(), change.apply(request.policy())));
    }

    private CallSpecification with(IdempotencyRequest changed) {
        return new CallSpecification(operations, codecs, changed);
    }

    @Override
    public <T extends @Nullable Object, E extends Throwable> IdempotentResult<T> execute(
            Class<T> type, IdempotentWork<? extends T, E> work) throws E {
        return execute((Type) type, work);
    }

    @Override
    @SuppressWarnings("unchecked") // the caller names the type of what the work gives
    public <T extends @Nullable Object, E extends Throwable> IdempotentResult<T> execute(
            Type type, IdempotentWork<? extends T, E> work) throws E {
        return operations.execute(request, (OutcomeCodec<T>) codecs.codecFor(type), work);
    }

    @Override
    @SuppressWarnings("NullAway") // the work's type is nullable here, which NullAway cannot tell on Java 17
    public <E extends Throwable> IdempotentResult<@Nullable Void> execute(IdempotentAction<E> action) throws E {
        return execute((Type) Void.class, () -> {
            action.run();
            return null;
        });
    }
}
