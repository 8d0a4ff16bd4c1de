package io.idempotency.core;

import org.jspecify.annotations.Nullable;

/**
 * Turns the value of an operation into an outcome and back. Implementations are thread-safe.
 *
 * @param <T> the type of the value
 */
public interface OutcomeCodec<T extends @Nullable Object> {

    /**
     * Encodes a value.
     *
     * @throws OutcomeCodecException if the value has no stored form, or one that is too large
     */
    Outcome encode(T value);

    /**
     * Decodes an outcome of kind {@link Outcome.Kind#VALUE}.
     *
     * @throws OutcomeCodecException if the outcome is not one of this codec's, or the type has changed since
     */
    T decode(Outcome outcome);
}
