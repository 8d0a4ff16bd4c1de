package io.idempotency.core;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A value that has no stored form, or a stored form that gives no value. The message is shown to callers. */
public final class OutcomeCodecException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /**
     * @param message what cannot be done with which type, without any part of the value
     */
    public OutcomeCodecException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    @Override
    public String getMessage() {
        return Objects.requireNonNull(super.getMessage());
    }
}
