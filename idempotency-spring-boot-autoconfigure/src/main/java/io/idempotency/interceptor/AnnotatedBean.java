package io.idempotency.interceptor;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.aopalliance.aop.Advice;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.Advisor;
import org.springframework.aop.config.AopConfigUtils;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.framework.ProxyConfig;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.BeansException;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.util.ClassUtils;

/**
 * A bean with annotated methods.
 *
 * @param name the name of the bean
 * @param type its class, without that of a proxy
 * @param instance the bean, {@code null} where it does not exist yet
 */
record AnnotatedBean(String name, Class<?> type, @Nullable Object instance) {

    /**
     * Looks at a bean without creating it; empty where nothing in it is annotated. Only of a factory whose product is
     * annotated is the product asked for: its class is not known before.
     */
    static Optional<AnnotatedBean> find(
            ConfigurableListableBeanFactory beanFactory, String name, AnnotationLookup<?> lookup) {
        Object singleton = beanFactory.getSingleton(name);
        if (singleton != null && !(singleton instanceof FactoryBean)) {
            return of(name, AopProxyUtils.ultimateTargetClass(singleton), singleton, lookup);
        }
        Optional<AnnotatedBean> byType = of(name, type(beanFactory, name), null, lookup);
        if (singleton == null || byType.isEmpty() || !beanFactory.isSingleton(name)) {
            return byType;
        }
        Object product = beanFactory.getBean(name);
        return of(name, AopUtils.getTargetClass(product), product, lookup);
    }

    private static Optional<AnnotatedBean> of(
            String name, @Nullable Class<?> type, @Nullable Object instance, AnnotationLookup<?> lookup) {
        // The proxy of a scoped bean has the type of the bean, but is never advised: the bean behind it is.
        if (type == null
                || instance instanceof AopInfrastructureBean
                || AopInfrastructureBean.class.isAssignableFrom(type)) {
            return Optional.empty();
        }
        return AnnotatedMethods.existIn(type, lookup)
                ? Optional.of(new AnnotatedBean(name, type, instance))
                : Optional.empty();
    }

    private static @Nullable Class<?> type(ConfigurableListableBeanFactory beanFactory, String name) {
        try {
            return beanFactory.getType(name, false);
        } catch (BeansException | LinkageError unresolvable) {
            // The bean will say so itself, if anybody ever asks for it.
            return null;
        }
    }

    /** Says whether the bean exists and the advice is not around it. */
    boolean isUnadvised(Class<? extends Advice> advice) {
        return instance != null && advisors().stream().map(Advisor::getAdvice).noneMatch(advice::isInstance);
    }

    /** Returns what the calls of the bean come to after the advice; nothing where the bean does not exist yet. */
    List<Advisor> inside(Class<? extends Advice> advice) {
        return advisors().stream()
                .dropWhile(advisor -> !advice.isInstance(advisor.getAdvice()))
                .skip(1)
                .toList();
    }

    /** Returns what is around the bean, the outermost first. */
    private List<Advisor> advisors() {
        List<Advisor> advisors = new ArrayList<>();
        for (Object layer = instance;
                layer instanceof Advised advised;
                layer = AopProxyUtils.getSingletonTarget(layer)) {
            advisors.addAll(List.of(advised.getAdvisors()));
        }
        return advisors;
    }

    /** Says whether the proxy of the bean is, or will be, a subclass of its class. */
    boolean hasClassProxy(ConfigurableListableBeanFactory beanFactory) {
        if (AopUtils.isAopProxy(instance)) {
            return AopUtils.isCglibProxy(instance);
        }
        if (type.isInterface() || Proxy.isProxyClass(type)) {
            return false;
        }
        return ClassUtils.getAllInterfacesForClass(type).length == 0
                || AutoProxyUtils.shouldProxyTargetClass(beanFactory, name)
                || prefersClassProxies(beanFactory);
    }

    private static boolean prefersClassProxies(ConfigurableListableBeanFactory beanFactory) {
        return beanFactory.containsBean(AopConfigUtils.AUTO_PROXY_CREATOR_BEAN_NAME)
                && beanFactory
                        .getBean(AopConfigUtils.AUTO_PROXY_CREATOR_BEAN_NAME, ProxyConfig.class)
                        .isProxyTargetClass();
    }
}
