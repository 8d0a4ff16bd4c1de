package io.idempotency.core;

import java.time.Duration;

/** Another call with the same identity is executing. Nothing ran; the same call may be sent again later. */
public final class OperationInProgressException extends IdempotencyException {

    private static final long serialVersionUID = 1L;

    private final Duration retryAfter;

    public OperationInProgressException(Identity identity, Duration retryAfter) {
        super(identity, "Operation " + identity + " is in progress; send the same call again later", null);
        this.retryAfter = retryAfter;
    }

    /**
     * Returns the remaining lease of the running claim, or one second where nobody knows it: how long to wait before the call
     * is sent again. Always positive.
     */
    public Duration retryAfter() {
        return retryAfter;
    }
}
