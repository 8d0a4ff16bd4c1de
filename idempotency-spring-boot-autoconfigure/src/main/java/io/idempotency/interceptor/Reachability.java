package io.idempotency.interceptor;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Optional;

/** Whether a proxy can see the calls of an annotated method. */
final class Reachability {

    private Reachability() {}

    /**
     * Says why no proxy sees the calls of a method, and what to do about it; empty where one does.
     *
     * @param classProxy whether the proxy of the bean is a subclass of its class
     */
    static Optional<String> problem(AnnotationLookup.Found<?> found, boolean classProxy) {
        return reason(found, classProxy).map(reason -> found.signature() + " " + reason);
    }

    private static Optional<String> reason(AnnotationLookup.Found<?> found, boolean classProxy) {
        Method method = found.method();
        int modifiers = method.getModifiers();
        if (Modifier.isPrivate(modifiers)) {
            return Optional.of("is private, so that no proxy sees its calls; make it public and call it on the bean");
        }
        if (Modifier.isStatic(modifiers)) {
            return Optional.of("is static, so that no proxy sees its calls; make it a method of the bean");
        }
        if (classProxy && Modifier.isFinal(modifiers)) {
            return Optional.of("is final, so that no proxy can override it; remove the modifier");
        }
        if (classProxy && isInFinalClass(method)) {
            return Optional.of("cannot be overridden by a proxy, since its class is final; remove the modifier");
        }
        if (!classProxy && !isShownByInterfaces(found)) {
            return Optional.of("is not declared by an interface of its bean, whose proxy has the methods of its"
                    + " interfaces only; declare it there, or set spring.aop.proxy-target-class=true");
        }
        return Optional.empty();
    }

    private static boolean isInFinalClass(Method method) {
        return Modifier.isFinal(method.getDeclaringClass().getModifiers());
    }

    private static boolean isShownByInterfaces(AnnotationLookup.Found<?> found) {
        // Nobody can call what is not public through interfaces, and the annotation of a class does not ask for it.
        boolean hidden = found.byType() && !Modifier.isPublic(found.method().getModifiers());
        return hidden
                || InterfaceMethods.implementedBy(found.method(), found.targetClass())
                        .findAny()
                        .isPresent();
    }
}
