package io.idempotency.interceptor;

import io.idempotency.annotation.Idempotent;
import io.idempotency.core.IdempotencyOperations;
import io.idempotency.core.IdempotencyTemplate;
import io.idempotency.core.OutcomeCodecFactory;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Stops the start of the application when an annotated method would not be protected: one that no proxy can advise, whose
 * annotation cannot be honoured or whose return value cannot be replayed, or a bean that was created before it could be
 * advised. One exception names all of them.
 *
 * <p>Looks at the types of all beans without creating any. Only where something is annotated does it ask for the engine,
 * so that a missing store stops the start too. Where something is transactional, the engine tries it.
 */
public final class IdempotentMethodVerifier implements SmartInitializingSingleton {

    private final AnnotatedBeans<Idempotent> beans;

    private final IdempotentMethodSource source;

    private final Supplier<? extends List<HandlerMethods>> handlerMethods;

    private final Supplier<? extends OutcomeCodecFactory> codecs;

    private final Supplier<? extends IdempotencyOperations> engine;

    /**
     * Creates a verifier.
     *
     * @param handlerMethods what the other doors take over
     * @param engine gives the engine, or throws what is missing
     */
    public IdempotentMethodVerifier(
            ConfigurableListableBeanFactory beanFactory,
            IdempotentMethodSource source,
            Supplier<? extends List<HandlerMethods>> handlerMethods,
            Supplier<? extends OutcomeCodecFactory> codecs,
            Supplier<? extends IdempotencyOperations> engine) {
        this.beans = new AnnotatedBeans<>(beanFactory, AnnotationLookup.OPERATIONS, IdempotentMethodAdvisor.class);
        this.source = source;
        this.handlerMethods = handlerMethods;
        this.codecs = codecs;
        this.engine = engine;
    }

    @Override
    public void afterSingletonsInstantiated() {
        List<AnnotatedBean> found = beans.find();
        if (found.isEmpty()) {
            return;
        }
        MethodProblems problems = new MethodProblems(source, handlerMethods.get(), codecs.get());
        beans.requireNone(beans.problems(
                found, problems::of, bean -> !protectedMethods(List.of(bean)).isEmpty()));
        if (engine.get() instanceof IdempotencyTemplate template) {
            beans.requireNone(obstacles(found, template));
        }
    }

    private Set<String> obstacles(List<AnnotatedBean> found, IdempotencyTemplate template) {
        TransactionObstacles transactions = new TransactionObstacles(template);
        Set<String> obstacles = new LinkedHashSet<>();
        for (IdempotentMethod method : protectedMethods(found)) {
            method.policy()
                    .transaction()
                    .flatMap(settings -> transactions.of(Signature.of(method.method(), method.targetClass()), settings))
                    .ifPresent(obstacles::add);
        }
        return obstacles;
    }

    private List<IdempotentMethod> protectedMethods(List<AnnotatedBean> found) {
        List<IdempotentMethod> methods = new ArrayList<>();
        for (AnnotatedBean bean : found) {
            for (AnnotationLookup.Found<Idempotent> annotated : AnnotatedMethods.in(bean.type(), beans.lookup())) {
                source.find(annotated.method(), annotated.targetClass()).ifPresent(methods::add);
            }
        }
        return methods;
    }
}
