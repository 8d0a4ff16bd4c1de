package io.idempotency.core;

/**
 * An earlier attempt began a step and did not say how it ended, and the step must not be run twice. The operation is in
 * doubt until an operator resolves it.
 */
public final class StepInDoubtException extends IdempotencyException {

    private static final long serialVersionUID = 1L;

    public StepInDoubtException(Identity identity, StepIdentity step, long attempt) {
        super(
                identity,
                "Step '%s' of operation %s was begun by attempt %d and nobody knows whether it was done; it must be"
                                .formatted(step.name(), identity, attempt)
                        + " resolved before the operation can be retried",
                null);
    }
}
