package io.idempotency.interceptor;

import io.idempotency.core.OperationPolicy;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.core.MethodClassKey;
import org.springframework.util.StringValueResolver;

/**
 * Reads {@link io.idempotency.annotation.Idempotent}, from the method, its class or its interfaces, and as a
 * meta-annotation. What was read is kept, also that there was nothing.
 */
public final class AnnotationIdempotentMethodSource implements IdempotentMethodSource {

    private final Map<MethodClassKey, Optional<IdempotentMethod>> methods = new ConcurrentHashMap<>();

    private final IdempotentMethodReader reader;

    private final Supplier<? extends List<HandlerMethods>> handlerMethods;

    /**
     * Creates a source.
     *
     * @param defaultPolicy what holds where the annotation says nothing; asked only when an annotation is found
     * @param placeholders resolves placeholders in the texts of annotations
     * @param beanFactory gives the beans that expressions name by {@code @name}
     * @param handlerMethods tells which methods the annotation of a handler class means; asked only when a class or an
     *     interface is annotated
     */
    public AnnotationIdempotentMethodSource(
            Supplier<OperationPolicy> defaultPolicy,
            StringValueResolver placeholders,
            BeanFactory beanFactory,
            Supplier<? extends List<HandlerMethods>> handlerMethods) {
        this.handlerMethods = handlerMethods;
        this.reader = new IdempotentMethodReader(defaultPolicy, placeholders, beanFactory);
    }

    @Override
    public Optional<IdempotentMethod> find(Method method, Class<?> targetClass) {
        MethodClassKey key = new MethodClassKey(method, targetClass);
        Optional<IdempotentMethod> known = methods.get(key);
        if (known == null) {
            known = AnnotationLookup.OPERATIONS
                    .find(method, targetClass)
                    .filter(found -> !found.byType() || isMeantByType(found))
                    .map(reader::read);
            methods.put(key, known);
        }
        return known;
    }

    private boolean isMeantByType(AnnotationLookup.Found<?> found) {
        List<HandlerMethods> doors = handlerMethods.get().stream()
                .filter(door -> door.isHandlerClass(found.targetClass()))
                .toList();
        return doors.isEmpty() || doors.stream().anyMatch(door -> door.isHandler(found.method(), found.targetClass()));
    }
}
