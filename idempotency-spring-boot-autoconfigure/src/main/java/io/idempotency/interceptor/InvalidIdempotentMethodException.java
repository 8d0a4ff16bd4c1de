package io.idempotency.interceptor;

/**
 * An annotated method that cannot be protected as its annotation says. The message names the method and the remedy.
 * Found at the start of the application where possible, otherwise by the first call, which does not run.
 */
public final class InvalidIdempotentMethodException extends IllegalStateException {

    private static final long serialVersionUID = 1L;

    public InvalidIdempotentMethodException(String message) {
        super(message);
    }

    public InvalidIdempotentMethodException(String message, Throwable cause) {
        super(message, cause);
    }
}
