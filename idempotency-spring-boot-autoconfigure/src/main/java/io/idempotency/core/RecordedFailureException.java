package io.idempotency.core;

/** The operation ended with a failure that was recorded as its outcome; the same failure answers every retry. */
public final class RecordedFailureException extends IdempotencyException {

    private static final long serialVersionUID = 1L;

    private final String failureType;

    private final String failureMessage;

    public RecordedFailureException(Identity identity, String failureType, String failureMessage) {
        super(identity, "Operation %s ended with %s: %s".formatted(identity, failureType, failureMessage), null);
        this.failureType = failureType;
        this.failureMessage = failureMessage;
    }

    /** Returns the name of the class of the original failure, as text; nothing is instantiated by it. */
    public String failureType() {
        return failureType;
    }

    /** Returns the message of the original failure, at most 1,000 characters; empty where it had none. */
    public String failureMessage() {
        return failureMessage;
    }
}
