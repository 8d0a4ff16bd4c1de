package io.idempotency.interceptor;

import java.lang.reflect.Method;
import java.util.Optional;

/** Finds what {@code @Idempotent} says about a method. Thread-safe, and quick when asked again. */
public interface IdempotentMethodSource {

    /**
     * Looks on the most specific method, then on its class, then on the interface methods and interfaces it comes from.
     *
     * @throws InvalidIdempotentMethodException if the annotation cannot be honoured
     */
    Optional<IdempotentMethod> find(Method method, Class<?> targetClass);
}
