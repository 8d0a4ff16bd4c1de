package io.idempotency.interceptor;

import io.idempotency.annotation.IdempotentStep;
import io.idempotency.core.IdempotencyOperations;
import io.idempotency.core.IdempotencyTemplate;
import io.idempotency.core.OutcomeCodecFactory;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Stops the start of the application when a method is annotated as a step and would not be one, as
 * {@link IdempotentMethodVerifier} does about operations.
 */
public final class StepMethodVerifier implements SmartInitializingSingleton {

    private final AnnotatedBeans<IdempotentStep> beans;

    private final StepMethodSource source;

    private final Supplier<? extends List<HandlerMethods>> handlerMethods;

    private final Supplier<? extends OutcomeCodecFactory> codecs;

    private final Supplier<? extends IdempotencyOperations> engine;

    /**
     * Creates a verifier.
     *
     * @param handlerMethods what the other doors take over
     * @param engine gives the engine, or throws what is missing
     */
    public StepMethodVerifier(
            ConfigurableListableBeanFactory beanFactory,
            StepMethodSource source,
            Supplier<? extends List<HandlerMethods>> handlerMethods,
            Supplier<? extends OutcomeCodecFactory> codecs,
            Supplier<? extends IdempotencyOperations> engine) {
        this.beans = new AnnotatedBeans<>(beanFactory, AnnotationLookup.STEPS, StepMethodAdvisor.class);
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
        List<HandlerMethods> handlers = handlerMethods.get();
        beans.requireNone(beans.problems(
                found,
                (method, classProxy) ->
                        problem(method, classProxy, handlers).stream().toList(),
                bean -> true));
        if (engine.get() instanceof IdempotencyTemplate template) {
            beans.requireNone(obstacles(found, template));
        }
    }

    private Set<String> obstacles(List<AnnotatedBean> found, IdempotencyTemplate template) {
        TransactionObstacles transactions = new TransactionObstacles(template);
        Set<String> obstacles = new LinkedHashSet<>();
        for (AnnotatedBean bean : found) {
            for (AnnotationLookup.Found<IdempotentStep> method : AnnotatedMethods.in(bean.type(), beans.lookup())) {
                source.find(method.method(), method.targetClass())
                        .flatMap(StepMethod::transaction)
                        .flatMap(settings -> transactions.of(method.signature(), settings))
                        .ifPresent(obstacles::add);
            }
        }
        return obstacles;
    }

    private Optional<String> problem(
            AnnotationLookup.Found<IdempotentStep> found, boolean classProxy, List<HandlerMethods> handlers) {
        return Reachability.problem(found, classProxy)
                .or(() -> handlers.stream().anyMatch(door -> door.isHandler(found.method(), found.targetClass()))
                        ? Optional.of(found.signature()
                                + " handles requests, so that no operation is executing that it could be a step of; annotate"
                                + " a method of another bean that it calls")
                        : ofAnnotation(found));
    }

    private Optional<String> ofAnnotation(AnnotationLookup.Found<IdempotentStep> found) {
        try {
            source.find(found.method(), found.targetClass())
                    .ifPresent(step -> codecs.get().codecFor(step.type()));
            return Optional.empty();
        } catch (InvalidIdempotentMethodException invalid) {
            return Optional.of(String.valueOf(invalid.getMessage()));
        } catch (IllegalArgumentException unrecordable) {
            return Optional.of("The return value of %s cannot be recorded. %s"
                    .formatted(found.signature(), unrecordable.getMessage()));
        }
    }
}
