package io.idempotency.step;

import io.idempotency.core.OutcomeCodec;
import io.idempotency.core.OutcomeCodecFactory;
import java.lang.reflect.Type;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The codecs of the types that steps give; there are as many as the code names. */
final class StepCodecs {

    private final OutcomeCodecFactory factory;

    private final Map<Type, OutcomeCodec<@Nullable Object>> codecs = new ConcurrentHashMap<>();

    StepCodecs(OutcomeCodecFactory factory) {
        this.factory = factory;
    }

    @SuppressWarnings("unchecked") // the caller names the type of what the work gives
    <T extends @Nullable Object> OutcomeCodec<T> of(Type type) {
        return (OutcomeCodec<T>) codecs.computeIfAbsent(type, factory::codecFor);
    }
}
