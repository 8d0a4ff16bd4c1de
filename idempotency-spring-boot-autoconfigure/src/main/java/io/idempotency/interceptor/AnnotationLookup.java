package io.idempotency.interceptor;

import io.idempotency.annotation.Idempotent;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.Optional;
import org.springframework.aop.support.AopUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Finds the annotation of a method. The first place that has it decides:
 *
 * <ol>
 *   <li>the most specific method, and the methods of superclasses that it overrides;
 *   <li>the class of the bean and its superclasses, for all methods that user code declares, of any visibility that a
 *       proxy can see: not for private and static ones, and not for those of {@link Object};
 *   <li>the interface methods that it implements;
 *   <li>the interfaces that declare or inherit them.
 * </ol>
 */
final class AnnotationLookup {

    private AnnotationLookup() {}

    /**
     * The annotation of a method.
     *
     * @param annotation with meta-annotations merged
     * @param method the most specific method
     * @param targetClass the class of the bean, or its interface where it is a proxy of its own making
     * @param annotatedMethod the method whose parameters the expressions name
     * @param byType whether a class or an interface carries the annotation, and not the method
     */
    record Found(Idempotent annotation, Method method, Class<?> targetClass, Method annotatedMethod, boolean byType) {}

    /** Says without looking at methods whether a class may have annotated ones. */
    static boolean isCandidate(Class<?> type) {
        return !isLibraryClass(type) && AnnotationUtils.isCandidateClass(type, Idempotent.class);
    }

    static Optional<Found> find(Method method, Class<?> targetClass) {
        if (ReflectionUtils.isObjectMethod(method) || Proxy.isProxyClass(method.getDeclaringClass())) {
            return Optional.empty();
        }
        Class<?> userClass = userClass(method, targetClass);
        Method specific = AopUtils.getMostSpecificMethod(method, userClass);
        return find(specific, SearchStrategy.SUPERCLASS)
                .or(() -> isCoveredByClass(specific) ? find(userClass, SearchStrategy.SUPERCLASS) : Optional.empty())
                .or(() -> InterfaceMethods.implementedBy(specific, userClass)
                        .flatMap(implemented -> find(implemented, SearchStrategy.DIRECT).stream())
                        .findFirst())
                .or(() -> findOnInterfaces(specific, userClass))
                .map(annotation -> found(annotation, specific, userClass));
    }

    private static Found found(MergedAnnotation<Idempotent> annotation, Method method, Class<?> userClass) {
        return annotation.getSource() instanceof Method annotated
                ? new Found(annotation.synthesize(), method, userClass, annotated, false)
                : new Found(annotation.synthesize(), method, userClass, method, true);
    }

    /** A repository or client that is a proxy of its own making has no class: its interface takes the place of one. */
    private static Class<?> userClass(Method method, Class<?> targetClass) {
        Class<?> declaringClass = method.getDeclaringClass();
        if (Proxy.isProxyClass(targetClass)) {
            return Arrays.stream(targetClass.getInterfaces())
                    .filter(declaringClass::isAssignableFrom)
                    .findFirst()
                    .orElse(declaringClass);
        }
        return declaringClass.isAssignableFrom(targetClass) ? ClassUtils.getUserClass(targetClass) : declaringClass;
    }

    private static Optional<MergedAnnotation<Idempotent>> find(AnnotatedElement element, SearchStrategy strategy) {
        return Optional.of(MergedAnnotations.from(element, strategy).get(Idempotent.class))
                .filter(MergedAnnotation::isPresent);
    }

    private static boolean isCoveredByClass(Method method) {
        return !Modifier.isPrivate(method.getModifiers())
                && !Modifier.isStatic(method.getModifiers())
                && ClassUtils.isUserLevelMethod(method)
                && !isLibraryClass(method.getDeclaringClass());
    }

    private static Optional<MergedAnnotation<Idempotent>> findOnInterfaces(Method method, Class<?> userClass) {
        if (!isCoveredByClass(method)) {
            return Optional.empty();
        }
        return InterfaceMethods.interfacesOf(userClass).stream()
                .filter(type -> InterfaceMethods.existIn(type, method, userClass))
                .flatMap(type -> find(type, SearchStrategy.TYPE_HIERARCHY).stream())
                .findFirst();
    }

    private static boolean isLibraryClass(Class<?> type) {
        return type.getName().startsWith("java.") || type.getName().startsWith("org.springframework.");
    }
}
