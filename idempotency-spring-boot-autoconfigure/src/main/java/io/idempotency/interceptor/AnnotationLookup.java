package io.idempotency.interceptor;

import io.idempotency.annotation.Idempotent;
import io.idempotency.annotation.IdempotentStep;
import java.lang.annotation.Annotation;
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
final class AnnotationLookup<A extends Annotation> {

    /** Finds operations. */
    static final AnnotationLookup<Idempotent> OPERATIONS = new AnnotationLookup<>(Idempotent.class);

    /** Finds steps. */
    static final AnnotationLookup<IdempotentStep> STEPS = new AnnotationLookup<>(IdempotentStep.class);

    private final Class<A> type;

    private AnnotationLookup(Class<A> type) {
        this.type = type;
    }

    /**
     * The annotation of a method.
     *
     * @param annotation with meta-annotations merged
     * @param method the most specific method
     * @param targetClass the class of the bean, or its interface where it is a proxy of its own making
     * @param annotatedMethod the method whose parameters the expressions name
     * @param byType whether a class or an interface carries the annotation, and not the method
     */
    record Found<A extends Annotation>(
            A annotation, Method method, Class<?> targetClass, Method annotatedMethod, boolean byType) {

        String signature() {
            return Signature.of(method, targetClass);
        }
    }

    Class<A> type() {
        return type;
    }

    /** Says without looking at methods whether a class may have annotated ones. */
    boolean isCandidate(Class<?> beanClass) {
        return !isLibraryClass(beanClass) && AnnotationUtils.isCandidateClass(beanClass, type);
    }

    Optional<Found<A>> find(Method method, Class<?> targetClass) {
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

    private static <A extends Annotation> Found<A> found(
            MergedAnnotation<A> annotation, Method method, Class<?> userClass) {
        return annotation.getSource() instanceof Method annotated
                ? new Found<>(annotation.synthesize(), method, userClass, annotated, false)
                : new Found<>(annotation.synthesize(), method, userClass, method, true);
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

    private Optional<MergedAnnotation<A>> find(AnnotatedElement element, SearchStrategy strategy) {
        return Optional.of(MergedAnnotations.from(element, strategy).get(type)).filter(MergedAnnotation::isPresent);
    }

    private static boolean isCoveredByClass(Method method) {
        return !Modifier.isPrivate(method.getModifiers())
                && !Modifier.isStatic(method.getModifiers())
                && ClassUtils.isUserLevelMethod(method)
                && !isLibraryClass(method.getDeclaringClass());
    }

    private Optional<MergedAnnotation<A>> findOnInterfaces(Method method, Class<?> userClass) {
        if (!isCoveredByClass(method)) {
            return Optional.empty();
        }
        return InterfaceMethods.interfacesOf(userClass).stream()
                .filter(parent -> InterfaceMethods.existIn(parent, method, userClass))
                .flatMap(parent -> find(parent, SearchStrategy.TYPE_HIERARCHY).stream())
                .findFirst();
    }

    private static boolean isLibraryClass(Class<?> type) {
        return type.getName().startsWith("java.") || type.getName().startsWith("org.springframework.");
    }
}
