package io.idempotency.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.annotation.Idempotent;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;
import org.springframework.security.access.prepost.PostAuthorize;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.security.authorization.method.AuthorizationManagerBeforeMethodInterceptor;
import org.springframework.security.config.annotation.method.configuration.EnableMethodSecurity;

class LateAuthorizationTests extends WithCheckedBeans {

    @ParameterizedTest
    @ValueSource(classes = {CheckedBefore.class, CheckedAfterwards.class, OfGuardedClass.class})
    void methodSecurityInsideOfTheProtectionStopsTheStart(Class<?> type) {
        runner.withUserConfiguration(LateSecurity.class)
                .withBean(type)
                .run(context -> assertThat(failure(context))
                        .hasMessageContaining(type.getName() + ".pay(")
                        .hasMessageContaining("by an order below 10000"));
    }

    @Test
    void anAdvisorOfTheApplicationIsFoundToo() {
        runner.withUserConfiguration(OwnSecurity.class)
                .withBean(CheckedBefore.class)
                .run(context -> assertThat(failure(context))
                        .hasMessageContaining(AuthorizationManagerBeforeMethodInterceptor.class.getName()));
    }

    @ParameterizedTest
    @ValueSource(classes = {CheckedBefore.class, CheckedAfterwards.class, OfGuardedClass.class})
    void methodSecurityInItsDefaultOrderComesBefore(Class<?> type) {
        runner.withUserConfiguration(DefaultSecurity.class)
                .withBean(type)
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void anotherMethodOfTheBeanMayBeSecuredInAnyOrder() {
        runner.withUserConfiguration(LateSecurity.class)
                .withBean(OtherChecked.class)
                .run(context -> assertThat(context).hasNotFailed());
    }

    static class CheckedBefore {

        @Idempotent("#p0")
        @PreAuthorize("isAuthenticated()")
        public void pay(String id) {}
    }

    static class CheckedAfterwards {

        @Idempotent("#p0")
        @PostAuthorize("isAuthenticated()")
        public String pay(String id) {
            return id;
        }
    }

    @PreAuthorize("isAuthenticated()")
    static class OfGuardedClass {

        @Idempotent("#p0")
        public void pay(String id) {}
    }

    static class OtherChecked {

        @Idempotent("#p0")
        public void pay(String id) {}

        @PreAuthorize("isAuthenticated()")
        public void find(String id) {}
    }

    @Configuration(proxyBeanMethods = false)
    @EnableMethodSecurity
    static class DefaultSecurity {}

    @Configuration(proxyBeanMethods = false)
    @EnableMethodSecurity(offset = 20_000)
    static class LateSecurity {}

    @Configuration(proxyBeanMethods = false)
    static class OwnSecurity {

        @Bean
        @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
        static AuthorizationManagerBeforeMethodInterceptor own() {
            AuthorizationManagerBeforeMethodInterceptor interceptor =
                    AuthorizationManagerBeforeMethodInterceptor.preAuthorize();
            interceptor.setOrder(AnnotatedMethodAdvisor.ORDER + 1);
            return interceptor;
        }
    }
}
