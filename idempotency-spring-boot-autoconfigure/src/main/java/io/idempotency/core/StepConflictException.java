package io.idempotency.core;

import org.jspecify.annotations.Nullable;

/**
 * A step was recorded by an earlier attempt, but what is recorded does not fit what the code asks for now: other arguments,
 * another type, or a result that could not be recorded. The step does not run again.
 */
public final class StepConflictException extends IdempotencyException {

    private static final long serialVersionUID = 1L;

    /** @param reason why the recorded step is of no use, without any part of a value */
    public StepConflictException(Identity identity, StepIdentity step, String reason, @Nullable Throwable cause) {
        super(
                identity,
                "Step '%s' of operation %s was done by an earlier attempt and is not run again, but %s"
                        .formatted(step.name(), identity, reason),
                cause);
    }
}
