package io.idempotency.step;

/**
 * The work of a step without a result.
 *
 * @param <E> what it may throw; it reaches the caller unchanged
 */
@FunctionalInterface
public interface StepAction<E extends Throwable> {

    /** Does the work, on the thread that asked for it. */
    void run(StepContext step) throws E;
}
