package io.idempotency.interceptor;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.stream.Collectors;

/** Names a method so that no two classes and no two overloads share a name. */
final class Signature {

    private Signature() {}

    /** Returns the class of the bean and the method with its parameter types, all with their packages. */
    static String of(Method method, Class<?> targetClass) {
        // A proxy that implements an interface by other means, such as a repository, is not where its methods come
        // from.
        Class<?> owner =
                method.getDeclaringClass().isAssignableFrom(targetClass) ? targetClass : method.getDeclaringClass();
        return Arrays.stream(method.getParameterTypes())
                .map(Class::getTypeName)
                .collect(Collectors.joining(",", owner.getName() + "." + method.getName() + "(", ")"));
    }
}
