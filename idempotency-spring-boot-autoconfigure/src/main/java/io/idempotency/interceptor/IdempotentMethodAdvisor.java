package io.idempotency.interceptor;

import org.aopalliance.aop.Advice;
import org.springframework.aop.Pointcut;
import org.springframework.aop.support.AbstractPointcutAdvisor;

/**
 * Puts the interceptor around annotated methods. A method whose annotation cannot be honoured is advised too, so that its
 * calls are refused and do not run unprotected.
 *
 * <p>Its order is {@value #ORDER}: inside retries and asynchronous execution, which put themselves before all others, and
 * inside method security, whose orders end at 600; around transactions, whose order is the lowest, so that an outcome is
 * recorded after the commit.
 */
public final class IdempotentMethodAdvisor extends AbstractPointcutAdvisor {

    /** The order of this advisor among those of one bean. */
    public static final int ORDER = 10_000;

    private static final long serialVersionUID = 1L;

    private final transient Pointcut pointcut;

    private final transient Advice advice;

    /** Creates an advisor whose pointcut asks the same source as the interceptor. */
    public IdempotentMethodAdvisor(IdempotentMethodSource source, IdempotentMethodInterceptor interceptor) {
        this.pointcut = new AnnotatedMethodPointcut(
                AnnotationLookup.OPERATIONS,
                (method, targetClass) -> source.find(method, targetClass).isPresent());
        this.advice = interceptor;
        setOrder(ORDER);
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
