package io.idempotency.interceptor;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.springframework.core.ResolvableType;

/**
 * The methods of interfaces that a method implements, as seen from the class of the bean: type arguments are filled in, and
 * the method may come from a superclass that knows nothing of the interface.
 */
final class InterfaceMethods {

    private InterfaceMethods() {}

    /** Returns all interfaces of a class, also those that interfaces extend and the class itself if it is one; nearest first. */
    static Set<Class<?>> interfacesOf(Class<?> type) {
        Set<Class<?>> interfaces = new LinkedHashSet<>();
        for (Class<?> parent = type; parent != null; parent = parent.getSuperclass()) {
            add(parent, interfaces);
        }
        return interfaces;
    }

    private static void add(Class<?> type, Set<Class<?>> interfaces) {
        if (type.isInterface()) {
            interfaces.add(type);
        }
        for (Class<?> parent : type.getInterfaces()) {
            add(parent, interfaces);
        }
    }

    /** Returns what the method implements, nearest first; a default method is among them. */
    static Stream<Method> implementedBy(Method method, Class<?> beanClass) {
        return interfacesOf(beanClass).stream().flatMap(type -> declaredBy(type, method, beanClass));
    }

    /** Says whether an interface declares or inherits what the method implements. */
    static boolean existIn(Class<?> type, Method method, Class<?> beanClass) {
        return interfacesOf(type).stream()
                .flatMap(parent -> declaredBy(parent, method, beanClass))
                .findAny()
                .isPresent();
    }

    private static Stream<Method> declaredBy(Class<?> type, Method method, Class<?> beanClass) {
        return Arrays.stream(AnnotatedMethods.methods(type))
                .filter(declared -> !declared.isSynthetic()
                        && Modifier.isPublic(declared.getModifiers())
                        && !Modifier.isStatic(declared.getModifiers()))
                .filter(declared -> isImplementedBy(declared, method, beanClass));
    }

    private static boolean isImplementedBy(Method declared, Method method, Class<?> beanClass) {
        return declared.getName().equals(method.getName())
                && declared.getParameterCount() == method.getParameterCount()
                && (Arrays.equals(declared.getParameterTypes(), method.getParameterTypes())
                        || IntStream.range(0, method.getParameterCount())
                                .allMatch(index -> parameter(declared, index, beanClass)
                                        .equals(parameter(method, index, beanClass))));
    }

    private static Class<?> parameter(Method method, int index, Class<?> beanClass) {
        return ResolvableType.forMethodParameter(method, index, beanClass).toClass();
    }
}
