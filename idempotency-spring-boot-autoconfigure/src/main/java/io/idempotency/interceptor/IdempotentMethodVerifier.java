package io.idempotency.interceptor;

import io.idempotency.core.IdempotencyOperations;
import io.idempotency.core.IdempotencyTemplate;
import io.idempotency.core.OutcomeCodecFactory;
import io.idempotency.core.TransactionSettings;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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

    private final ConfigurableListableBeanFactory beanFactory;

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
        this.beanFactory = beanFactory;
        this.source = source;
        this.handlerMethods = handlerMethods;
        this.codecs = codecs;
        this.engine = engine;
    }

    @Override
    public void afterSingletonsInstantiated() {
        List<AnnotatedBean> beans = Arrays.stream(beanFactory.getBeanNamesForType(Object.class, true, false))
                .map(name -> AnnotatedBean.find(beanFactory, name))
                .flatMap(Optional::stream)
                .toList();
        if (beans.isEmpty()) {
            return;
        }
        requireNone(problems(beans));
        if (engine.get() instanceof IdempotencyTemplate template) {
            requireNone(obstacles(beans, template));
        }
    }

    private static void requireNone(Set<String> problems) {
        if (!problems.isEmpty()) {
            throw new InvalidIdempotentMethodException(
                    "Methods are annotated with @Idempotent, but would not be protected:%n- %s"
                            .formatted(String.join(System.lineSeparator() + "- ", problems)));
        }
    }

    private Set<String> obstacles(List<AnnotatedBean> beans, IdempotencyTemplate template) {
        Map<TransactionSettings, Optional<String>> known = new HashMap<>();
        Set<String> obstacles = new LinkedHashSet<>();
        for (IdempotentMethod method : protectedMethods(beans)) {
            method.policy()
                    .transaction()
                    .flatMap(settings -> known.computeIfAbsent(settings, template::obstacle))
                    .ifPresent(obstacle -> obstacles.add("%s is transactional, but cannot be. %s"
                            .formatted(Signature.of(method.method(), method.targetClass()), obstacle)));
        }
        return obstacles;
    }

    private List<IdempotentMethod> protectedMethods(List<AnnotatedBean> beans) {
        List<IdempotentMethod> methods = new ArrayList<>();
        for (AnnotatedBean bean : beans) {
            for (AnnotationLookup.Found found : AnnotatedMethods.in(bean.type())) {
                source.find(found.method(), found.targetClass()).ifPresent(methods::add);
            }
        }
        return methods;
    }

    private Set<String> problems(List<AnnotatedBean> beans) {
        MethodProblems methodProblems = new MethodProblems(source, handlerMethods.get(), codecs.get());
        Set<String> problems = new LinkedHashSet<>();
        for (AnnotatedBean bean : beans) {
            Set<String> ofMethods = new LinkedHashSet<>();
            for (AnnotationLookup.Found method : AnnotatedMethods.in(bean.type())) {
                ofMethods.addAll(methodProblems.of(method, bean.hasClassProxy(beanFactory)));
            }
            problems.addAll(ofMethods);
            if (ofMethods.isEmpty()
                    && bean.isUnadvised()
                    && !protectedMethods(List.of(bean)).isEmpty()) {
                problems.add(
                        "The bean '%s' of %s has no proxy, since it was created too early or by hand; let the container"
                                        .formatted(bean.name(), bean.type().getName())
                                + " create it, after its post-processors");
            }
        }
        return problems;
    }
}
