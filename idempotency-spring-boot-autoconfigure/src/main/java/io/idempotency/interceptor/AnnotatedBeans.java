package io.idempotency.interceptor;

import java.lang.annotation.Annotation;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import org.springframework.aop.Advisor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * The beans that have methods with one annotation, found by their types and without creating any.
 *
 * @param advisor what must be around them
 */
record AnnotatedBeans<A extends Annotation>(
        ConfigurableListableBeanFactory beanFactory, AnnotationLookup<A> lookup, Class<? extends Advisor> advisor) {

    List<AnnotatedBean> find() {
        return Arrays.stream(beanFactory.getBeanNamesForType(Object.class, true, false))
                .map(name -> AnnotatedBean.find(beanFactory, name, lookup))
                .flatMap(Optional::stream)
                .toList();
    }

    /**
     * Finds what keeps beans from being protected, one sentence for each problem.
     *
     * @param ofMethod gives the problems of one method; told whether the proxy of the bean is a subclass of its class
     * @param needsAdvice says whether the advisor must be around a bean whose methods are in order
     */
    Set<String> problems(
            List<AnnotatedBean> beans,
            BiFunction<AnnotationLookup.Found<A>, Boolean, List<String>> ofMethod,
            Predicate<AnnotatedBean> needsAdvice) {
        Set<String> problems = new LinkedHashSet<>();
        for (AnnotatedBean bean : beans) {
            Set<String> ofMethods = new LinkedHashSet<>();
            for (AnnotationLookup.Found<A> method : AnnotatedMethods.in(bean.type(), lookup)) {
                ofMethods.addAll(ofMethod.apply(method, bean.hasClassProxy(beanFactory)));
            }
            problems.addAll(ofMethods);
            if (ofMethods.isEmpty() && bean.isUnadvised(advisor) && needsAdvice.test(bean)) {
                problems.add(
                        "The bean '%s' of %s has no proxy, since it was created too early or by hand; let the container"
                                        .formatted(bean.name(), bean.type().getName())
                                + " create it, after its post-processors");
            }
        }
        return problems;
    }

    /**
     * @throws InvalidIdempotentMethodException if there is a problem; the message names all of them
     */
    void requireNone(Set<String> problems) {
        if (!problems.isEmpty()) {
            throw new InvalidIdempotentMethodException(
                    "Methods are annotated with @%s, but would not be protected:%n- %s"
                            .formatted(
                                    lookup.type().getSimpleName(),
                                    String.join(System.lineSeparator() + "- ", problems)));
        }
    }
}
