package io.idempotency.core;

/** The key was used before for something else. Nothing ran; the caller must use a new key. */
public final class FingerprintMismatchException extends IdempotencyException {

    private static final long serialVersionUID = 1L;

    public FingerprintMismatchException(Identity identity) {
        super(
                identity,
                "The key of operation " + identity
                        + " was used before with other content; use a new key for a new intent",
                null);
    }
}
