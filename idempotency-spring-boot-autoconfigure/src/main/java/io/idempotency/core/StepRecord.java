package io.idempotency.core;

import org.jspecify.annotations.Nullable;

/**
 * What is recorded of a step.
 *
 * @param step which one
 * @param state how far it came
 * @param fingerprint the arguments that it was run with
 * @param attempt the attempt of its operation that ran it
 * @param result what it gave; {@code null} unless it is done
 */
public record StepRecord(
        StepIdentity step,
        StepState state,
        Fingerprint fingerprint,
        long attempt,
        @Nullable Outcome result) {

    /**
     * @throws IllegalArgumentException if there is a result and the step is not done, or the other way round
     */
    public StepRecord {
        if ((state == StepState.DONE) != (result != null)) {
            throw new IllegalArgumentException("A step has a result if it is done, and then only");
        }
    }

    /** Returns the record of this step once it is done. */
    public StepRecord done(Outcome result) {
        return new StepRecord(step, StepState.DONE, fingerprint, attempt, result);
    }
}
