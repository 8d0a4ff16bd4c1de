package io.idempotency.core;

import org.jspecify.annotations.Nullable;

/** A store could not be reached, did not answer in time or answered what makes no sense. */
public final class IdempotencyStoreException extends IdempotencyException {

    private static final long serialVersionUID = 1L;

    public IdempotencyStoreException(String message, @Nullable Throwable cause) {
        super(null, message, cause);
    }
}
