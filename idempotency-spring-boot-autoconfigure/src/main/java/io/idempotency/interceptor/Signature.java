package io.idempotency.interceptor;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.stream.Collectors;

/** Names a method so that no two classes and no two overloads share a name. */
final class Signature {

    private Signature() {}

    /** Returns the class of the bean and the method with its parameter types, all with their packages. */
    static String of(Method method, Class<?> targetClass) {
        return Arrays.stream(method.getParameterTypes())
                .map(Class::getTypeName)
                .collect(Collectors.joining(",", targetClass.getName() + "." + method.getName() + "(", ")"));
    }
}
