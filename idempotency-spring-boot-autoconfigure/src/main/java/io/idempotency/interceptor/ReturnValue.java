package io.idempotency.interceptor;

import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.springframework.core.GenericTypeResolver;
import org.springframework.core.ResolvableType;

/**
 * What a method gives, and when.
 *
 * @param type the type of the value, with its generic arguments
 * @param later whether the method returns a future of it
 */
record ReturnValue(Type type, boolean later) {

    private static final String KOTLIN_CONTINUATION = "kotlin.coroutines.Continuation";

    /**
     * Reads the signature of a method.
     *
     * @throws IllegalArgumentException if its value comes in a way that cannot be followed
     */
    static ReturnValue of(Method method, Class<?> targetClass) {
        for (Class<?> parameter : method.getParameterTypes()) {
            if (parameter.getName().equals(KOTLIN_CONTINUATION)) {
                throw new IllegalArgumentException(
                        "A suspending function cannot be followed; annotate a function that it calls");
            }
        }
        ResolvableType resolvable = ResolvableType.forMethodReturnType(method, targetClass);
        Type type = resolvable.isArray()
                ? resolvable.toClass()
                : GenericTypeResolver.resolveType(method.getGenericReturnType(), targetClass);
        Class<?> rawType = method.getReturnType();
        if (rawType != CompletableFuture.class && rawType != CompletionStage.class) {
            return new ReturnValue(type, false);
        }
        return new ReturnValue(ResolvableType.forType(type).getGeneric(0).getType(), true);
    }
}
