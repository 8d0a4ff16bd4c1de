package io.idempotency.interceptor;

import io.idempotency.core.OutcomeCodecFactory;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.springframework.util.ClassUtils;

/** Finds what keeps annotated methods from being protected. */
final class MethodProblems {

    private final IdempotentMethodSource source;

    private final List<HandlerMethods> handlerMethods;

    private final OutcomeCodecFactory codecs;

    MethodProblems(IdempotentMethodSource source, List<HandlerMethods> handlerMethods, OutcomeCodecFactory codecs) {
        this.source = source;
        this.handlerMethods = handlerMethods;
        this.codecs = codecs;
    }

    /**
     * Looks at one method.
     *
     * @param classProxy whether the proxy of the bean is a subclass of its class
     * @return one sentence for each problem, with method and remedy; empty where there is none
     */
    List<String> of(AnnotationLookup.Found found, boolean classProxy) {
        Optional<String> unreachable = unreachable(found.method(), classProxy);
        if (unreachable.isPresent()) {
            return List.of(Signature.of(found.method(), found.targetClass()) + " " + unreachable.get());
        }
        try {
            return ofReachable(source.find(found.method(), found.targetClass()).orElseThrow());
        } catch (InvalidIdempotentMethodException invalid) {
            return List.of(String.valueOf(invalid.getMessage()));
        }
    }

    private static Optional<String> unreachable(Method method, boolean classProxy) {
        int modifiers = method.getModifiers();
        if (Modifier.isPrivate(modifiers)) {
            return Optional.of("is private, so that no proxy sees its calls; make it public and call it on the bean");
        }
        if (Modifier.isStatic(modifiers)) {
            return Optional.of("is static, so that no proxy sees its calls; make it a method of the bean");
        }
        if (classProxy && (Modifier.isFinal(modifiers) || isInFinalClass(method))) {
            return Optional.of("or its class is final, so that no proxy can override it; remove the modifier");
        }
        if (!classProxy && !isDeclaredByInterface(method)) {
            return Optional.of("is not declared by an interface of its bean, whose proxy has the methods of its"
                    + " interfaces only; declare it there, or set spring.aop.proxy-target-class=true");
        }
        return Optional.empty();
    }

    private static boolean isInFinalClass(Method method) {
        return Modifier.isFinal(method.getDeclaringClass().getModifiers());
    }

    private static boolean isDeclaredByInterface(Method method) {
        return ClassUtils.getAllInterfacesForClassAsSet(method.getDeclaringClass()).stream()
                .anyMatch(type -> ClassUtils.hasMethod(type, method.getName(), method.getParameterTypes()));
    }

    private List<String> ofReachable(IdempotentMethod method) {
        List<String> problems = new ArrayList<>();
        String signature = Signature.of(method.method(), method.targetClass());
        List<HandlerMethods> doors = handlerMethods.stream()
                .filter(door -> door.isHandler(method.method(), method.targetClass()))
                .toList();
        for (HandlerMethods door : doors) {
            door.problems(method).forEach(problem -> problems.add(signature + ": " + problem));
        }
        if (doors.isEmpty()) {
            problems.addAll(ofOrdinary(method, signature));
        }
        return problems;
    }

    private List<String> ofOrdinary(IdempotentMethod method, String signature) {
        List<String> problems = new ArrayList<>();
        if (method.key().isEmpty()) {
            problems.add(signature + " is no handler method and has no key; give it one, such as key = \"#p0.id\"");
        }
        if (method.fingerprintStrategy().stream().anyMatch(FingerprintStrategy.RAW::equals)) {
            problems.add(signature + " is no handler method, so that there is no body for fingerprint = \"RAW\"; remove"
                    + " it to compare all arguments");
        }
        try {
            OrdinaryCalls.Recording.of(method, codecs);
        } catch (InvalidIdempotentMethodException unrecordable) {
            problems.add(String.valueOf(unrecordable.getMessage()));
        }
        return problems;
    }
}
