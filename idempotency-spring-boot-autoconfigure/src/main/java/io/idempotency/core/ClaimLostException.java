package io.idempotency.core;

/**
 * An attempt went on for too long without renewing its lease, and another one may have taken over. What it does from here
 * on does not count: it should end.
 */
public final class ClaimLostException extends IdempotencyException {

    private static final long serialVersionUID = 1L;

    public ClaimLostException(Identity identity, long attempt) {
        super(
                identity,
                ("Attempt %d of operation %s has lost its claim, or may have, since its lease has passed; call again with the"
                                + " same key to go on")
                        .formatted(attempt, identity),
                null);
    }
}
