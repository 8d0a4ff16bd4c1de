package io.idempotency.interceptor;

import java.lang.reflect.Method;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.core.MethodClassKey;
import org.springframework.util.StringValueResolver;

/**
 * Reads {@link io.idempotency.annotation.IdempotentStep}. What was read is kept, also that there was nothing. Thread-safe.
 */
public final class StepMethodSource {

    private final Map<MethodClassKey, Optional<StepMethod>> methods = new ConcurrentHashMap<>();

    private final StepMethodReader reader;

    /**
     * Creates a source.
     *
     * @param placeholders resolves placeholders in the texts of annotations
     * @param beanFactory gives the beans that expressions name by {@code @name}
     */
    public StepMethodSource(StringValueResolver placeholders, BeanFactory beanFactory) {
        this.reader = new StepMethodReader(placeholders, beanFactory);
    }

    /**
     * Looks on the most specific method, then on the interface methods that it comes from.
     *
     * @throws InvalidIdempotentMethodException if the annotation cannot be honoured
     */
    Optional<StepMethod> find(Method method, Class<?> targetClass) {
        MethodClassKey key = new MethodClassKey(method, targetClass);
        Optional<StepMethod> known = methods.get(key);
        if (known == null) {
            known = AnnotationLookup.STEPS.find(method, targetClass).map(reader::read);
            methods.put(key, known);
        }
        return known;
    }
}
