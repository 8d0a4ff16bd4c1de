package io.idempotency.interceptor;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.function.BiPredicate;
import org.springframework.aop.support.StaticMethodMatcherPointcut;
import org.springframework.util.ClassUtils;

/**
 * Matches the methods with an annotation. Those whose annotation cannot be honoured are among them, so that their calls are
 * refused and do not run unprotected.
 */
final class AnnotatedMethodPointcut extends StaticMethodMatcherPointcut {

    private final Class<?> annotation;

    private final BiPredicate<Method, Class<?>> annotated;

    /** @param annotated says whether a method of a class is annotated, or throws why it must not be */
    AnnotatedMethodPointcut(AnnotationLookup<?> lookup, BiPredicate<Method, Class<?>> annotated) {
        this.annotation = lookup.type();
        this.annotated = annotated;
        setClassFilter(lookup::isCandidate);
    }

    @Override
    public boolean matches(Method method, Class<?> targetClass) {
        boolean matches = isAnnotated(method, targetClass);
        if (matches && isUnproxyable(targetClass)) {
            throw new InvalidIdempotentMethodException(
                    "%s is annotated with @%s, but its class is final, so that no proxy can be made of it; remove the modifier"
                            .formatted(Signature.of(method, targetClass), annotation.getSimpleName()));
        }
        return matches;
    }

    private boolean isAnnotated(Method method, Class<?> targetClass) {
        try {
            return annotated.test(method, targetClass);
        } catch (InvalidIdempotentMethodException invalid) {
            return true;
        }
    }

    private static boolean isUnproxyable(Class<?> targetClass) {
        return Modifier.isFinal(targetClass.getModifiers())
                && ClassUtils.getAllInterfacesForClass(targetClass).length == 0;
    }
}
