package io.idempotency.core;

import org.jspecify.annotations.Nullable;

/** A store could not be reached, did not answer in time or answered what makes no sense, or had no room for a call. */
public sealed class IdempotencyStoreException extends IdempotencyException permits StoreSaturatedException {

    private static final long serialVersionUID = 1L;

    public IdempotencyStoreException(String message, @Nullable Throwable cause) {
        super(null, message, cause);
    }
}
