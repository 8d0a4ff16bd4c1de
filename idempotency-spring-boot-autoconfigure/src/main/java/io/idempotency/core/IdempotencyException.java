package io.idempotency.core;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A call of a protected operation that did not run, or whose outcome is a recorded failure. Messages name the operation
 * and a short digest, never a key or a value.
 */
public abstract class IdempotencyException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient @Nullable Identity identity;

    protected IdempotencyException(@Nullable Identity identity, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.identity = identity;
    }

    /** Returns the identity of the call; empty where the call was refused before it had one. */
    public Optional<Identity> identity() {
        return Optional.ofNullable(identity);
    }
}
