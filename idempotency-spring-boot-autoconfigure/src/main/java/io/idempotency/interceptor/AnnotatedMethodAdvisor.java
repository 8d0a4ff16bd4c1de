package io.idempotency.interceptor;

import java.lang.reflect.Method;
import java.util.function.BiPredicate;
import org.aopalliance.aop.Advice;
import org.springframework.aop.Pointcut;
import org.springframework.aop.support.AbstractPointcutAdvisor;

/**
 * Puts an interceptor around annotated methods. A method whose annotation cannot be honoured is advised too, so that its
 * calls are refused and do not run unprotected.
 *
 * <p>Its order is {@value #ORDER}: inside retries and asynchronous execution, which put themselves before all others, and
 * inside method security, whose orders end at 600; around transactions, whose order is the lowest, so that an outcome is
 * recorded after the commit.
 */
public final class AnnotatedMethodAdvisor extends AbstractPointcutAdvisor {

    /** The order of this advisor among those of one bean. */
    public static final int ORDER = 10_000;

    private static final long serialVersionUID = 1L;

    private final transient Pointcut pointcut;

    private final transient Advice advice;

    private AnnotatedMethodAdvisor(AnnotationLookup<?> lookup, BiPredicate<Method, Class<?>> annotated, Advice advice) {
        this.pointcut = new AnnotatedMethodPointcut(lookup, annotated);
        this.advice = advice;
        setOrder(ORDER);
    }

    /** Creates the advisor of operations, whose pointcut asks the same source as the interceptor. */
    public static AnnotatedMethodAdvisor ofOperations(
            IdempotentMethodSource source, IdempotentMethodInterceptor interceptor) {
        return new AnnotatedMethodAdvisor(
                AnnotationLookup.OPERATIONS,
                (method, targetClass) -> source.find(method, targetClass).isPresent(),
                interceptor);
    }

    /** Creates the advisor of steps, whose pointcut asks the same source as the interceptor. */
    public static AnnotatedMethodAdvisor ofSteps(StepMethodSource source, StepMethodInterceptor interceptor) {
        return new AnnotatedMethodAdvisor(
                AnnotationLookup.STEPS,
                (method, targetClass) -> source.find(method, targetClass).isPresent(),
                interceptor);
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
