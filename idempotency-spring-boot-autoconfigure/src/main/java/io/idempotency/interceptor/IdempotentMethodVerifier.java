package io.idempotency.interceptor;

import io.idempotency.core.OutcomeCodecFactory;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
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
 * so that a missing store stops the start too.
 */
public final class IdempotentMethodVerifier implements SmartInitializingSingleton {

    private final ConfigurableListableBeanFactory beanFactory;

    private final IdempotentMethodSource source;

    private final Supplier<? extends List<HandlerMethods>> handlerMethods;

    private final Supplier<? extends OutcomeCodecFactory> codecs;

    private final Runnable requireEngine;

    /**
     * Creates a verifier.
     *
     * @param handlerMethods what the other doors take over
     * @param requireEngine creates the engine, or throws what is missing
     */
    public IdempotentMethodVerifier(
            ConfigurableListableBeanFactory beanFactory,
            IdempotentMethodSource source,
            Supplier<? extends List<HandlerMethods>> handlerMethods,
            Supplier<? extends OutcomeCodecFactory> codecs,
            Runnable requireEngine) {
        this.beanFactory = beanFactory;
        this.source = source;
        this.handlerMethods = handlerMethods;
        this.codecs = codecs;
        this.requireEngine = requireEngine;
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
        Set<String> problems = problems(beans);
        if (!problems.isEmpty()) {
            throw new InvalidIdempotentMethodException(
                    "Methods are annotated with @Idempotent, but would not be protected:%n- %s"
                            .formatted(String.join(System.lineSeparator() + "- ", problems)));
        }
        requireEngine.run();
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
            if (ofMethods.isEmpty() && bean.isUnadvised() && hasProtectedMethod(bean)) {
                problems.add(
                        "The bean '%s' of %s has no proxy, since it was created too early or by hand; let the container"
                                        .formatted(bean.name(), bean.type().getName())
                                + " create it, after its post-processors");
            }
        }
        return problems;
    }

    private boolean hasProtectedMethod(AnnotatedBean bean) {
        for (AnnotationLookup.Found found : AnnotatedMethods.in(bean.type())) {
            if (source.find(found.method(), found.targetClass()).isPresent()) {
                return true;
            }
        }
        return false;
    }
}
