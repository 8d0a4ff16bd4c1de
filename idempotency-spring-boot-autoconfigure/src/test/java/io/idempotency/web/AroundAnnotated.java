package io.idempotency.web;

import java.lang.annotation.Annotation;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import org.aopalliance.intercept.MethodInterceptor;
import org.springframework.aop.Advisor;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.annotation.AnnotationMatchingPointcut;

/** The advice of an application around methods that have one of its own annotations. */
final class AroundAnnotated {

    private static final int TRIES = 3;

    private AroundAnnotated() {}

    /** A method that is called up to three times, until it does not throw. */
    @Retention(RetentionPolicy.RUNTIME)
    @interface Retrying {}

    static Advisor retrying(int order) {
        return advisor(order, Retrying.class, invocation -> {
            for (int tries = 1; ; tries++) {
                try {
                    return ((ProxyMethodInvocation) invocation).invocableClone().proceed();
                } catch (RuntimeException failure) {
                    if (tries == TRIES) {
                        throw failure;
                    }
                }
            }
        });
    }

    static Advisor advisor(int order, Class<? extends Annotation> annotation, MethodInterceptor advice) {
        DefaultPointcutAdvisor advisor =
                new DefaultPointcutAdvisor(AnnotationMatchingPointcut.forMethodAnnotation(annotation), advice);
        advisor.setOrder(order);
        return advisor;
    }
}
