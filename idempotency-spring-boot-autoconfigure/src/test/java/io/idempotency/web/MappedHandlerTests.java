package io.idempotency.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.core.OperationPolicy;
import io.idempotency.interceptor.IdempotentMethod;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.junit.jupiter.api.Test;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.aop.target.HotSwappableTargetSource;
import org.springframework.util.ReflectionUtils;
import org.springframework.web.method.HandlerMethod;

class MappedHandlerTests {

    private final List<MethodInvocation> invocations = new ArrayList<>();

    private final MethodInterceptor observer = invocation -> {
        invocations.add(invocation);
        return invocation.proceed();
    };

    @Test
    void theBeanAndTheMethodOfTheHandlerAreItsInvocation() {
        Orders orders = classProxy(new Orders());
        orders.create();

        assertThat(handler(orders, "create").isInvokedBy(invocations.get(0))).isTrue();
        assertThat(handler(orders, "cancel").isInvokedBy(invocations.get(0))).isFalse();
    }

    @Test
    void anotherBeanOfTheSameClassIsNot() {
        Orders orders = classProxy(new Orders());
        Orders others = classProxy(new Orders());
        others.create();

        assertThat(handler(orders, "create").isInvokedBy(invocations.get(0))).isFalse();
    }

    @Test
    void theObservedProxyMayStandBehindAnotherOne() {
        Orders inner = classProxy(new Orders());
        ProxyFactory factory = new ProxyFactory(inner);
        factory.setProxyTargetClass(true);
        Orders outer = (Orders) factory.getProxy();
        outer.create();

        assertThat(handler(outer, "create").isInvokedBy(invocations.get(0))).isTrue();
    }

    @Test
    void theMethodMayBeInvokedThroughItsInterface() {
        Orders target = new Orders();
        ProxyFactory factory = new ProxyFactory(Creating.class, observer);
        factory.setTarget(target);
        Creating proxy = (Creating) factory.getProxy();
        proxy.create();

        assertThat(handler(proxy, "create").isInvokedBy(invocations.get(0))).isTrue();
    }

    @Test
    void behindAScopeTheSameMethodIsEnough() {
        Orders instance = classProxy(new Orders());
        Orders scoped = (Orders) ProxyFactory.getProxy(new HotSwappableTargetSource(instance) {
            @Override
            public boolean isStatic() {
                return false;
            }
        });
        scoped.create();

        assertThat(handler(scoped, "create").isInvokedBy(invocations.get(0))).isTrue();
        assertThat(handler(scoped, "cancel").isInvokedBy(invocations.get(0))).isFalse();
    }

    private Orders classProxy(Orders target) {
        ProxyFactory factory = new ProxyFactory(target);
        factory.setProxyTargetClass(true);
        factory.addAdvice(observer);
        return (Orders) factory.getProxy();
    }

    private static MappedHandler handler(Object bean, String name) {
        Method method = ReflectionUtils.findMethod(bean.getClass(), name);
        return new MappedHandler(
                new HandlerMethod(bean, method),
                new IdempotentMethod(
                        method,
                        Orders.class,
                        "operation",
                        Optional.empty(),
                        Optional.empty(),
                        true,
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Set.of(),
                        OperationPolicy.DEFAULT));
    }

    interface Creating {

        void create();
    }

    static class Orders implements Creating {

        @Override
        public void create() {}

        public void cancel() {}
    }
}
