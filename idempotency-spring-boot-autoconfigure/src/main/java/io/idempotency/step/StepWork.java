package io.idempotency.step;

import org.jspecify.annotations.Nullable;

/**
 * The work of a step.
 *
 * @param <T> the type of its result
 * @param <E> what it may throw; it reaches the caller unchanged
 */
@FunctionalInterface
public interface StepWork<T extends @Nullable Object, E extends Throwable> {

    /** Does the work, on the thread that asked for it. */
    T run(StepContext step) throws E;
}
