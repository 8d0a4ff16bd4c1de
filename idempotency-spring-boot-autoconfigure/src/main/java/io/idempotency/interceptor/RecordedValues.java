package io.idempotency.interceptor;

import io.idempotency.core.OutcomeCodec;
import io.idempotency.core.OutcomeCodecFactory;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodClassKey;

/** How return values are recorded, found out once for each method. Thread-safe. */
public final class RecordedValues {

    private final Map<MethodClassKey, RecordedValue> values = new ConcurrentHashMap<>();

    private final Supplier<? extends OutcomeCodecFactory> codecs;

    /**
     * Creates an empty memory of them.
     *
     * @param codecs asked for with the first method
     */
    public RecordedValues(Supplier<? extends OutcomeCodecFactory> codecs) {
        this.codecs = codecs;
    }

    /**
     * Returns the codec for what a method returns.
     *
     * @throws InvalidIdempotentMethodException if that cannot be recorded
     */
    public OutcomeCodec<@Nullable Object> codec(IdempotentMethod method) {
        return of(method).codec();
    }

    RecordedValue of(IdempotentMethod method) {
        return values.computeIfAbsent(
                new MethodClassKey(method.method(), method.targetClass()),
                unknown -> RecordedValue.of(method, codecs.get()));
    }
}
