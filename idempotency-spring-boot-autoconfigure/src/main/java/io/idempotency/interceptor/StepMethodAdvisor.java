package io.idempotency.interceptor;

import org.aopalliance.aop.Advice;
import org.springframework.aop.Pointcut;
import org.springframework.aop.support.AbstractPointcutAdvisor;

/**
 * Puts the interceptor around methods that are steps, in the place that {@link IdempotentMethodAdvisor} has: around
 * transactions, so that a step is recorded after the commit of what its method opens.
 */
public final class StepMethodAdvisor extends AbstractPointcutAdvisor {

    private static final long serialVersionUID = 1L;

    private final transient Pointcut pointcut;

    private final transient Advice advice;

    /** Creates an advisor whose pointcut asks the same source as the interceptor. */
    public StepMethodAdvisor(StepMethodSource source, StepMethodInterceptor interceptor) {
        this.pointcut = new AnnotatedMethodPointcut(
                AnnotationLookup.STEPS,
                (method, targetClass) -> source.find(method, targetClass).isPresent());
        this.advice = interceptor;
        setOrder(IdempotentMethodAdvisor.ORDER);
    }

    @Override
    public Pointcut getPointcut() {
        return pointcut;
    }

    @Override
    public Advice getAdvice() {
        return advice;
    }
}
