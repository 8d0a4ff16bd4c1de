package io.idempotency.core;

import org.jspecify.annotations.Nullable;

/** The operation ended before, but its outcome cannot be replayed. Nothing runs again. */
public final class OutcomeUnavailableException extends IdempotencyException {

    private static final long serialVersionUID = 1L;

    public OutcomeUnavailableException(Identity identity, String reason, @Nullable Throwable cause) {
        super(
                identity,
                "Operation %s has ended and is not run again, but its outcome cannot be replayed: %s"
                        .formatted(identity, reason),
                cause);
    }
}
