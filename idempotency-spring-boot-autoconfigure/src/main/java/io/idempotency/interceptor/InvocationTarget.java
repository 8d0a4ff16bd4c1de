package io.idempotency.interceptor;

import java.lang.reflect.Proxy;
import org.aopalliance.intercept.MethodInvocation;
import org.springframework.aop.support.AopUtils;

/** What an invocation is made on. */
final class InvocationTarget {

    private InvocationTarget() {}

    /** Returns the class that the pointcut saw: a proxy of its own making stands for what is behind it. */
    static Class<?> classOf(MethodInvocation invocation) {
        Object target = invocation.getThis();
        if (target == null) {
            return invocation.getMethod().getDeclaringClass();
        }
        return AopUtils.isAopProxy(target) && !Proxy.isProxyClass(target.getClass())
                ? AopUtils.getTargetClass(target)
                : target.getClass();
    }
}
