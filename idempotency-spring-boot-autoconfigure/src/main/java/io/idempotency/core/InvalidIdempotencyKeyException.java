package io.idempotency.core;

import org.jspecify.annotations.Nullable;

/** A call without a usable key. Nothing ran and no store was asked. */
public final class InvalidIdempotencyKeyException extends IdempotencyException {

    private static final long serialVersionUID = 1L;

    /** What is wrong with the key. */
    public enum Reason {

        /** The operation requires a key and there is none. */
        MISSING,

        /** There is a key, but it is blank, too long, given twice or holds forbidden characters. */
        MALFORMED
    }

    private final Reason reason;

    public InvalidIdempotencyKeyException(Reason reason, String message) {
        this(reason, message, null);
    }

    public InvalidIdempotencyKeyException(Reason reason, String message, @Nullable Throwable cause) {
        super(null, message, cause);
        this.reason = reason;
    }

    /** Returns whether there is no key, or one that cannot be used. */
    public Reason reason() {
        return reason;
    }
}
