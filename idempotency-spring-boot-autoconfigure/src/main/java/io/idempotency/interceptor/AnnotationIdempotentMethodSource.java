package io.idempotency.interceptor;

import io.idempotency.core.OperationPolicy;
import java.lang.reflect.Method;
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

    /**
     * Creates a source.
     *
     * @param defaultPolicy what holds where the annotation says nothing; asked only when an annotation is found
     * @param placeholders resolves placeholders in the texts of annotations
     * @param beanFactory gives the beans that expressions name by {@code @name}
     */
    public AnnotationIdempotentMethodSource(
            Supplier<OperationPolicy> defaultPolicy, StringValueResolver placeholders, BeanFactory beanFactory) {
        this.reader = new IdempotentMethodReader(defaultPolicy, placeholders, beanFactory);
    }

    @Override
    public Optional<IdempotentMethod> find(Method method, Class<?> targetClass) {
        MethodClassKey key = new MethodClassKey(method, targetClass);
        Optional<IdempotentMethod> known = methods.get(key);
        if (known == null) {
            known = AnnotationLookup.find(method, targetClass).map(reader::read);
            methods.put(key, known);
        }
        return known;
    }
}
