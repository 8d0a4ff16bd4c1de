package io.idempotency.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.interceptor.IdempotentMethodSource;
import io.idempotency.openapi.ProtectedOperations;
import io.idempotency.web.WebInvocationDoor;
import io.idempotency.web.WebSettings;
import io.swagger.v3.oas.models.OpenAPI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springdoc.core.customizers.GlobalOperationCustomizer;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

class IdempotencyOpenApiAutoConfigurationTests {

    private static final AutoConfigurations AUTO_CONFIGURATIONS = AutoConfigurations.of(
            IdempotencyAutoConfiguration.class,
            IdempotentMethodAutoConfiguration.class,
            InMemoryIdempotencyStoreAutoConfiguration.class,
            IdempotencyOpenApiAutoConfiguration.class,
            IdempotencyWebAutoConfiguration.class);

    private final WebApplicationContextRunner runner = new WebApplicationContextRunner()
            .withConfiguration(AUTO_CONFIGURATIONS)
            .withPropertyValues("idempotency.store=memory");

    @Test
    void withSpringdocProtectedOperationsAreDescribed() {
        runner.run(context -> assertThat(context).hasSingleBean(ProtectedOperations.class));
    }

    @ParameterizedTest
    @ValueSource(classes = {GlobalOperationCustomizer.class, OpenAPI.class})
    void withoutSpringdocTheDoorIsThereAllTheSame(Class<?> absent) {
        runner.withClassLoader(new FilteredClassLoader(absent.getPackageName()))
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .hasSingleBean(WebInvocationDoor.class)
                        .doesNotHaveBean(ProtectedOperations.class));
    }

    @ParameterizedTest
    @ValueSource(strings = {"idempotency.enabled=false", "idempotency.web.enabled=false"})
    void withoutTheDoorNothingIsDescribed(String property) {
        runner.withPropertyValues(property)
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(ProtectedOperations.class));
    }

    @Test
    void anApplicationWithoutServletsHasNone() {
        new ApplicationContextRunner()
                .withConfiguration(AUTO_CONFIGURATIONS)
                .withPropertyValues("idempotency.store=memory")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(ProtectedOperations.class));
    }

    @Test
    void theApplicationMayDescribeThemByItself() {
        runner.withUserConfiguration(OwnDescription.class)
                .run(context -> assertThat(context)
                        .hasSingleBean(ProtectedOperations.class)
                        .hasBean("mine"));
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnDescription {

        @Bean
        ProtectedOperations mine(IdempotentMethodSource methods, WebSettings settings) {
            return new ProtectedOperations(methods, settings);
        }
    }
}
