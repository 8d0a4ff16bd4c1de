package io.idempotency.core;

import org.jspecify.annotations.Nullable;

/** Binds a value to the calling thread for the time of some work. */
public final class ThreadBinding {

    private ThreadBinding() {}

    /** Runs work with a value bound and restores what was bound before, on every path. */
    public static <V, T extends @Nullable Object, E extends Throwable> T call(
            ThreadLocal<V> bound, V value, IdempotentWork<T, E> work) throws E {
        V before = bound.get();
        bound.set(value);
        try {
            return work.run();
        } finally {
            if (before == null) {
                bound.remove();
            } else {
                bound.set(before);
            }
        }
    }
}
