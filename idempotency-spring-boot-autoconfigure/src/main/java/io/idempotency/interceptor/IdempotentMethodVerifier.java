package io.idempotency.interceptor;

import io.idempotency.core.IdempotencyOperations;
import io.idempotency.core.IdempotencyTemplate;
import io.idempotency.core.OutcomeCodecFactory;
import java.util.List;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Stops the start of the application when a method that is annotated as an operation or a step would not be protected: one
 * that no proxy can advise, whose annotation cannot be honoured or whose return value cannot be replayed, or a bean that was
 * created before it could be advised. One exception names all problems with one annotation.
 *
 * <p>Looks at the types of all beans without creating any. Only where something is annotated does it ask for the engine,
 * so that a missing store stops the start too. Where something is transactional, the engine tries it. What does protect a
 * method, but may cost it its claims, is logged.
 */
public final class IdempotentMethodVerifier implements SmartInitializingSingleton {

    private static final Logger logger = LoggerFactory.getLogger(IdempotentMethodVerifier.class);

    private final List<AnnotatedBeans<?>> annotations;

    private final Supplier<? extends IdempotencyOperations> engine;

    /**
     * Creates a verifier.
     *
     * @param handlerMethods what the other doors take over
     * @param engine gives the engine, or throws what is missing
     */
    public IdempotentMethodVerifier(
            ConfigurableListableBeanFactory beanFactory,
            IdempotentMethodSource operations,
            StepMethodSource steps,
            Supplier<? extends List<HandlerMethods>> handlerMethods,
            Supplier<? extends OutcomeCodecFactory> codecs,
            Supplier<? extends IdempotencyOperations> engine) {
        this.annotations = List.of(
                new AnnotatedBeans<>(beanFactory, new VerifiedOperations(operations, handlerMethods, codecs)),
                new AnnotatedBeans<>(beanFactory, new VerifiedSteps(steps, handlerMethods, codecs)));
        this.engine = engine;
    }

    @Override
    public void afterSingletonsInstantiated() {
        annotations.forEach(this::verify);
    }

    private void verify(AnnotatedBeans<?> beans) {
        List<AnnotatedBean> found = beans.find();
        if (found.isEmpty()) {
            return;
        }
        beans.requireNone(beans.problems(found));
        if (engine.get() instanceof IdempotencyTemplate template) {
            beans.requireNone(beans.obstacles(found, new TransactionObstacles(template)));
            beans.weaknesses(found, template).forEach(logger::warn);
        }
    }
}
