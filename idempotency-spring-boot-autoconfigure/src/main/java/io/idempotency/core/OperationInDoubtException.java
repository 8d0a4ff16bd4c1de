package io.idempotency.core;

/** Nobody knows whether an earlier attempt had its effect. Nothing runs until an operator resolves the record. */
public final class OperationInDoubtException extends IdempotencyException {

    private static final long serialVersionUID = 1L;

    private final long attempt;

    public OperationInDoubtException(Identity identity, long attempt) {
        super(
                identity,
                "The end of attempt %d of operation %s is not known; it must be resolved before it can be retried"
                        .formatted(attempt, identity),
                null);
        this.attempt = attempt;
    }

    /** Returns the attempt whose end nobody knows; an operator resolves the record by it. */
    public long attempt() {
        return attempt;
    }
}
