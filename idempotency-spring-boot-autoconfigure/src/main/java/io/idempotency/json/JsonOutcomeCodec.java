package io.idempotency.json;

import io.idempotency.core.Outcome;
import io.idempotency.core.OutcomeCodec;
import org.jspecify.annotations.Nullable;

/** Records a value as its JSON, and {@code null} as no content. */
record JsonOutcomeCodec(JsonValues values) implements OutcomeCodec<@Nullable Object> {

    private static final String FORMAT = "json/1";

    private static final byte[] NULL = {};

    @Override
    public Outcome encode(@Nullable Object value) {
        return new Outcome(Outcome.Kind.VALUE, FORMAT, value == null ? NULL : values.write(value));
    }

    @Override
    @SuppressWarnings("NullAway") // it knows nullable type arguments in JSpecify mode only, which needs a newer JDK
    public @Nullable Object decode(Outcome outcome) {
        values.requireFormat(FORMAT, outcome);
        return outcome.content().length == 0 ? values.absent() : values.read(outcome.content());
    }
}
