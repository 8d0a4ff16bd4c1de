package io.idempotency.core;

/**
 * Work that is executed once per key and gives no value.
 *
 * @param <E> what it may throw; it reaches the caller unchanged
 */
@FunctionalInterface
public interface IdempotentAction<E extends Throwable> {

    /** Does the work, on the thread of the caller. */
    void run() throws E;
}
