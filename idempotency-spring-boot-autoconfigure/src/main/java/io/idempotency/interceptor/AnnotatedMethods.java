package io.idempotency.interceptor;

import io.idempotency.interceptor.AnnotationLookup.Found;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.core.MethodClassKey;
import org.springframework.util.ClassUtils;

/** All methods of a bean class that are annotated, also those that no proxy can see. */
final class AnnotatedMethods {

    private AnnotatedMethods() {}

    /** Says whether a class has an annotated method. */
    static boolean existIn(Class<?> type, AnnotationLookup<?> lookup) {
        return lookup.isCandidate(type) && !of(type, lookup).isEmpty();
    }

    /** Returns what was found, each method once. */
    static <A extends Annotation> Collection<Found<A>> in(Class<?> type, AnnotationLookup<A> lookup) {
        return of(type, lookup).values();
    }

    private static <A extends Annotation> Map<MethodClassKey, Found<A>> of(Class<?> type, AnnotationLookup<A> lookup) {
        Map<MethodClassKey, Found<A>> found = new LinkedHashMap<>();
        for (Class<?> parent = ClassUtils.getUserClass(type); parent != null; parent = parent.getSuperclass()) {
            addAll(parent, type, lookup, found);
        }
        for (Class<?> parent : InterfaceMethods.interfacesOf(type)) {
            addAll(parent, type, lookup, found);
        }
        return found;
    }

    private static <A extends Annotation> void addAll(
            Class<?> parent, Class<?> type, AnnotationLookup<A> lookup, Map<MethodClassKey, Found<A>> found) {
        if (!lookup.isCandidate(parent)) {
            return;
        }
        for (Method method : methods(parent)) {
            if (!method.isSynthetic()) {
                lookup.find(method, type)
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
