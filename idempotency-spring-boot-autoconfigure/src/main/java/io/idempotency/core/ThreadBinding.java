package io.idempotency.core;

import org.jspecify.annotations.Nullable;

/** Binds a value to the calling thread for the time of some work. */
public final class ThreadBinding {

    private ThreadBinding() {}

    /**
     * Runs work with a value bound and restores what was bound before, on every path. Where nothing was
     * bound, {@code null} is, and the entry stays: the next binding of the thread would have to make it again.
     *
     * @param bound is static, since its entry stays with the thread
     */
    public static <V, T extends @Nullable Object, E extends Throwable> T call(
            ThreadLocal<@Nullable V> bound, V value, IdempotentWork<T, E> work) throws E {
        @Nullable V before = bound.get();
        bound.set(value);
        try {
            return work.run();
        } finally {
            bound.set(before);
        }
    }
}
