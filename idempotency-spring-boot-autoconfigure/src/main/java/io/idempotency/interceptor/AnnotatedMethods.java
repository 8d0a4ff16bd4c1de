package io.idempotency.interceptor;

import java.lang.reflect.Method;
import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.core.MethodClassKey;
import org.springframework.util.ClassUtils;

/** All methods of a bean class that are annotated, also those that no proxy can see. */
final class AnnotatedMethods {

    private AnnotatedMethods() {}

    /** Says whether a class has an annotated method. */
    static boolean existIn(Class<?> type) {
        return AnnotationLookup.isCandidate(type) && !of(type).isEmpty();
    }

    /** Returns what was found, each method once. */
    static Iterable<AnnotationLookup.Found> in(Class<?> type) {
        return of(type).values();
    }

    private static Map<MethodClassKey, AnnotationLookup.Found> of(Class<?> type) {
        Map<MethodClassKey, AnnotationLookup.Found> found = new LinkedHashMap<>();
        for (Class<?> parent = ClassUtils.getUserClass(type); parent != null; parent = parent.getSuperclass()) {
            addAll(parent, type, found);
        }
        for (Class<?> parent : InterfaceMethods.interfacesOf(type)) {
            addAll(parent, type, found);
        }
        return found;
    }

    private static void addAll(Class<?> parent, Class<?> type, Map<MethodClassKey, AnnotationLookup.Found> found) {
        if (!AnnotationLookup.isCandidate(parent)) {
            return;
        }
        for (Method method : methods(parent)) {
            if (!method.isSynthetic()) {
                AnnotationLookup.find(method, type)
                        .ifPresent(annotated -> found.putIfAbsent(
                                new MethodClassKey(annotated.method(), annotated.targetClass()), annotated));
            }
        }
    }

    /** Returns the methods that a class or an interface declares itself. */
    static Method[] methods(Class<?> type) {
        try {
            return type.getDeclaredMethods();
        } catch (LinkageError incomplete) {
            // A class of a library, parts of which are not on the class path. No proxy could be made of it either.
            return new Method[0];
        }
    }
}
