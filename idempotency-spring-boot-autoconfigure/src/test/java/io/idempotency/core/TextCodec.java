package io.idempotency.core;

import java.nio.charset.StandardCharsets;

/** Records texts, and refuses the one that is said to be unrecordable. */
final class TextCodec implements OutcomeCodec<String> {

    static final String UNRECORDABLE = "unrecordable";

    static final String BREAKING = "breaking";

    static final String CRASHING = "crashing";

    static final String UNREPLAYABLE = "unreplayable";

    @Override
    public Outcome encode(String value) {
        if (value.equals(UNRECORDABLE)) {
            throw new OutcomeCodecException("this text has no stored form", null);
        }
        if (value.equals(BREAKING)) {
            throw new IllegalStateException("planted");
        }
        if (value.equals(CRASHING)) {
            throw new NoClassDefFoundError("planted");
        }
        return new Outcome(Outcome.Kind.VALUE, "test/1", value.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public String decode(Outcome outcome) {
        if (!outcome.format().equals("test/1") || outcome.text().equals(UNREPLAYABLE)) {
            throw new OutcomeCodecException("this outcome is no text", null);
        }
        return outcome.text();
    }
}
