package io.idempotency.core;

import org.jspecify.annotations.Nullable;

/**
 * The work of an operation.
 *
 * @param <T> the type of its value
 * @param <E> what it may throw; it reaches the caller unchanged
 */
@FunctionalInterface
public interface IdempotentWork<T extends @Nullable Object, E extends Throwable> {

    /** Does the work, on the thread that asked for it. */
    T run() throws E;
}
