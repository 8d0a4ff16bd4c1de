package io.idempotency.interceptor;

import io.idempotency.core.OutcomeCodec;
import io.idempotency.core.OutcomeCodecFactory;
import org.jspecify.annotations.Nullable;

/**
 * How the return value of a method is recorded.
 *
 * @param later whether the method returns a future of it
 */
record RecordedValue(OutcomeCodec<@Nullable Object> codec, boolean later) {

    /**
     * Finds out how a method is recorded.
     *
     * @throws InvalidIdempotentMethodException if its return value cannot be recorded
     */
    static RecordedValue of(IdempotentMethod method, OutcomeCodecFactory codecs) {
        try {
            ReturnValue value = ReturnValue.of(method.method(), method.targetClass());
            return new RecordedValue(codecs.codecFor(value.type()), value.later());
        } catch (IllegalArgumentException unrecordable) {
            throw new InvalidIdempotentMethodException(
                    "The return value of %s cannot be replayed. %s"
                            .formatted(Signature.of(method.method(), method.targetClass()), unrecordable.getMessage()),
                    unrecordable);
        }
    }
}
