package io.idempotency.web;

import io.idempotency.interceptor.IdempotentMethod;
import java.lang.reflect.Method;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.TargetSource;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.support.AopUtils;
import org.springframework.web.method.HandlerMethod;

/**
 * The handler that a request was mapped to.
 *
 * @param handler the bean and its method
 * @param method what the annotation says about it
 */
record MappedHandler(HandlerMethod handler, IdempotentMethod method) {

    /** Says whether an invocation is the one of this handler: the same bean and the same method. */
    boolean isInvokedBy(MethodInvocation invocation) {
        Object target = invocation.getThis();
        return target != null && isSameMethod(invocation, target) && isSameBean(invocation, target);
    }

    private boolean isSameMethod(MethodInvocation invocation, Object target) {
        if (invocation.getMethod().equals(handler.getMethod())) {
            return true;
        }
        Method invoked = AopUtils.getMostSpecificMethod(invocation.getMethod(), target.getClass());
        return invoked.equals(AopUtils.getMostSpecificMethod(handler.getMethod(), target.getClass()));
    }

    /** Looks through the proxies of the handler, of which any may be the one that is being invoked. */
    private boolean isSameBean(MethodInvocation invocation, Object target) {
        @Nullable Object bean = handler.getBean();
        while (bean instanceof Advised advised) {
            TargetSource source = advised.getTargetSource();
            if (isProxyOf(invocation, bean) || !source.isStatic()) {
                // Behind a scope the bean is another one each time: the same method is all that can be told.
                return true;
            }
            bean = target(source);
        }
        return bean == target;
    }

    private static boolean isProxyOf(MethodInvocation invocation, Object bean) {
        return invocation instanceof ProxyMethodInvocation proxied && proxied.getProxy() == bean;
    }

    private static @Nullable Object target(TargetSource source) {
        try {
            return source.getTarget();
        } catch (Exception unreachable) {
            throw new IllegalStateException("A static target source has a target", unreachable);
        }
    }
}
