package io.idempotency.interceptor;

import io.idempotency.core.IdempotencyTemplate;
import java.lang.annotation.Annotation;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.springframework.aop.Advisor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * The beans that have methods with one annotation, found by their types and without creating any.
 *
 * @param methods what is to be verified about the methods
 */
record AnnotatedBeans<A extends Annotation>(ConfigurableListableBeanFactory beanFactory, VerifiedMethods<A> methods) {

    List<AnnotatedBean> find() {
        return Arrays.stream(beanFactory.getBeanNamesForType(Object.class, true, false))
                .map(name -> AnnotatedBean.find(beanFactory, name, methods.lookup()))
                .flatMap(Optional::stream)
                .toList();
    }

    /** Finds what keeps beans from being protected, one sentence for each problem. */
    Set<String> problems(List<AnnotatedBean> beans) {
        Set<String> problems = new LinkedHashSet<>();
        for (AnnotatedBean bean : beans) {
            Set<String> ofMethods = new LinkedHashSet<>();
            boolean classProxy = bean.hasClassProxy(beanFactory);
            annotatedMethods(bean).forEach(method -> ofMethods.addAll(methods.problems(method, classProxy)));
            if (ofMethods.isEmpty()) {
                ofMethods.addAll(authorizedLate(bean));
            }
            problems.addAll(ofMethods);
            if (ofMethods.isEmpty() && isUnadvised(bean)) {
                problems.add(
                        "The bean '%s' of %s has no proxy, since it was created too early or by hand; let the container"
                                        .formatted(bean.name(), bean.type().getName())
                                + " create it, after its post-processors");
            }
        }
        return problems;
    }

    private List<String> authorizedLate(AnnotatedBean bean) {
        List<Advisor> inside = bean.inside(methods.advice());
        return annotatedMethods(bean).stream()
                .filter(methods::isMeant)
                .flatMap(method -> LateAuthorization.problem(method, inside).stream())
                .toList();
    }

    private boolean isUnadvised(AnnotatedBean bean) {
        return bean.isUnadvised(methods.advice())
                && annotatedMethods(bean).stream().anyMatch(methods::isMeant);
    }

    /** Finds what keeps methods from being transactional that have no other problem, one sentence for each problem. */
    Set<String> obstacles(List<AnnotatedBean> beans, TransactionObstacles transactions) {
        Set<String> obstacles = new LinkedHashSet<>();
        for (AnnotatedBean bean : beans) {
            for (AnnotationLookup.Found<A> method : annotatedMethods(bean)) {
                methods.transaction(method)
                        .flatMap(settings -> transactions.of(method.signature(), settings))
                        .ifPresent(obstacles::add);
            }
        }
        return obstacles;
    }

    /** Finds why methods that are protected may lose their claims all the same, one text for each method. */
    Set<String> weaknesses(List<AnnotatedBean> beans, IdempotencyTemplate template) {
        Set<String> weaknesses = new LinkedHashSet<>();
        for (AnnotatedBean bean : beans) {
            for (AnnotationLookup.Found<A> method : annotatedMethods(bean)) {
                methods.policy(method)
                        .flatMap(template::weakness)
                        .ifPresent(weakness ->
                                weaknesses.add("%s may lose its claims. %s".formatted(method.signature(), weakness)));
            }
        }
        return weaknesses;
    }

    private Collection<AnnotationLookup.Found<A>> annotatedMethods(AnnotatedBean bean) {
        return AnnotatedMethods.in(bean.type(), methods.lookup());
    }

    /**
     * @throws InvalidIdempotentMethodException if there is a problem; the message names all of them
     */
    void requireNone(Set<String> problems) {
        if (!problems.isEmpty()) {
            throw new InvalidIdempotentMethodException(
                    "Methods are annotated with @%s, but would not be protected:%n- %s"
                            .formatted(
                                    methods.lookup().type().getSimpleName(),
                                    String.join(System.lineSeparator() + "- ", problems)));
        }
    }
}
