package io.idempotency.interceptor;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import org.aopalliance.aop.Advice;
import org.springframework.aop.Pointcut;
import org.springframework.aop.support.AbstractPointcutAdvisor;
import org.springframework.aop.support.StaticMethodMatcherPointcut;
import org.springframework.util.ClassUtils;

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
        this.pointcut = new AnnotatedMethodPointcut(source);
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

    private static final class AnnotatedMethodPointcut extends StaticMethodMatcherPointcut {

        private final IdempotentMethodSource source;

        AnnotatedMethodPointcut(IdempotentMethodSource source) {
            this.source = source;
            setClassFilter(AnnotationLookup::isCandidate);
        }

        @Override
        public boolean matches(Method method, Class<?> targetClass) {
            boolean matches = isAnnotated(method, targetClass);
            if (matches && isUnproxyable(targetClass)) {
                throw new InvalidIdempotentMethodException(Signature.of(method, targetClass)
                        + " is annotated with @Idempotent, but its class is final, so that no proxy can be made of it;"
                        + " remove the modifier");
            }
            return matches;
        }

        private boolean isAnnotated(Method method, Class<?> targetClass) {
            try {
                return source.find(method, targetClass).isPresent();
            } catch (InvalidIdempotentMethodException invalid) {
                return true;
            }
        }

        private static boolean isUnproxyable(Class<?> targetClass) {
            return Modifier.isFinal(targetClass.getModifiers())
                    && ClassUtils.getAllInterfacesForClass(targetClass).length == 0;
        }
    }
}
