package io.idempotency.interceptor;

import java.lang.reflect.Method;
import java.util.Optional;

/** Finds what {@code @Idempotent} says about a method. Thread-safe, and quick when asked again. */
public interface IdempotentMethodSource {

    /**
     * Looks on the most specific method, then on its class, then on the interface methods and interfaces it comes from.
     *
     * @throws IllegalStateException if the annotation cannot be honoured; the message names the method and the remedy
     */
    Optional<IdempotentMethod> find(Method method, Class<?> targetClass);
}
