package io.idempotency.interceptor;

import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.beans.BeansException;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.stereotype.Controller;

/**
 * Keeps annotated controllers from being replaced by a proxy of their interfaces, also where the application prefers such
 * proxies: Spring MVC would no longer find their handler methods.
 */
public final class HandlerTargetClassPreserver implements BeanFactoryPostProcessor {

    @Override
    public void postProcessBeanFactory(ConfigurableListableBeanFactory beanFactory) {
        for (String name : beanFactory.getBeanDefinitionNames()) {
            if (isAnnotatedController(beanFactory, name)) {
                beanFactory.getBeanDefinition(name).setAttribute(AutoProxyUtils.PRESERVE_TARGET_CLASS_ATTRIBUTE, true);
            }
        }
    }

    private static boolean isAnnotatedController(ConfigurableListableBeanFactory beanFactory, String name) {
        try {
            Class<?> type = beanFactory.getType(name, false);
            return type != null
                    && AnnotatedElementUtils.hasAnnotation(type, Controller.class)
                    && (AnnotatedMethods.existIn(type, AnnotationLookup.OPERATIONS)
                            || AnnotatedMethods.existIn(type, AnnotationLookup.STEPS));
        } catch (BeansException | LinkageError unresolvable) {
            // The bean will say so itself, if anybody ever asks for it.
            return false;
        }
    }
}
