package io.idempotency.core;

import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;

/** Finds the codec for a type, with its generic arguments. */
public interface OutcomeCodecFactory {

    /**
     * Returns a codec for values of the type; callers keep it.
     *
     * @throws IllegalArgumentException if values of the type cannot be recorded; the message names the type and says
     *     what to do
     */
    OutcomeCodec<@Nullable Object> codecFor(Type type);
}
