package io.idempotency.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.idempotency.annotation.Idempotent;
import io.idempotency.interceptor.FingerprintStrategy;
import io.idempotency.web.IdempotencyExceptionResolver;
import io.idempotency.web.IdempotencyFilter;
import io.idempotency.web.WebHandlerMethods;
import io.idempotency.web.WebInvocationDoor;
import io.idempotency.web.WebSettings;
import jakarta.servlet.DispatcherType;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.handler.MappedInterceptor;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

class IdempotencyWebAutoConfigurationTests {

    private static final AutoConfigurations AUTO_CONFIGURATIONS = AutoConfigurations.of(
            IdempotencyAutoConfiguration.class,
            IdempotentMethodAutoConfiguration.class,
            InMemoryIdempotencyStoreAutoConfiguration.class,
            IdempotencyWebAutoConfiguration.class);

    private final WebApplicationContextRunner runner = new WebApplicationContextRunner()
            .withConfiguration(AUTO_CONFIGURATIONS)
            .withPropertyValues("idempotency.store=memory");

    @Test
    void aServletApplicationHasTheHttpDoor() {
        runner.run(context -> assertThat(context)
                .hasSingleBean(WebInvocationDoor.class)
                .hasSingleBean(WebHandlerMethods.class)
                .hasSingleBean(IdempotencyExceptionResolver.class)
                .hasSingleBean(MappedInterceptor.class));
    }

    @Test
    void theFilterComesAfterSpringSecurityAndSeesForwardsAndAsynchronousDispatches() {
        runner.run(context -> {
            FilterRegistrationBean<?> registration = context.getBean(FilterRegistrationBean.class);

            assertThat(registration.getFilter()).isInstanceOf(IdempotencyFilter.class);
            assertThat(registration.getOrder()).isEqualTo(-90).isEqualTo(IdempotencyFilter.DEFAULT_ORDER);
            assertThat(registration.isAsyncSupported()).isTrue();
            assertThat(registration.determineDispatcherTypes())
                    .containsExactlyInAnyOrder(DispatcherType.REQUEST, DispatcherType.FORWARD, DispatcherType.ASYNC);
        });
    }

    @Test
    void thePropertiesBecomeTheSettings() {
        runner.withPropertyValues(
                        "idempotency.web.header-names=My-Key",
                        "idempotency.web.strict=true",
                        "idempotency.web.key-pattern=[0-9]+",
                        "idempotency.web.max-key-length=36",
                        "idempotency.web.max-request-size=2KB",
                        "idempotency.web.max-response-size=3GB",
                        "idempotency.web.kept-headers=Location",
                        "idempotency.web.fingerprint=raw",
                        "idempotency.web.filter-order=7")
                .run(context -> {
                    WebSettings settings = context.getBean(WebSettings.class);

                    assertThat(settings)
                            .usingRecursiveComparison()
                            .withEqualsForType((one, other) -> one.pattern().equals(other.pattern()), Pattern.class)
                            .isEqualTo(new WebSettings(
                                    List.of("My-Key"),
                                    true,
                                    Optional.of(Pattern.compile("[0-9]+")),
                                    36,
                                    2048,
                                    Integer.MAX_VALUE,
                                    List.of("Location"),
                                    FingerprintStrategy.RAW));
                    assertThat(context.getBean(FilterRegistrationBean.class).getOrder())
                            .isEqualTo(7);
                });
    }

    @Test
    void aLimitThatIsNotPositiveStopsTheStart() {
        runner.withPropertyValues("idempotency.web.max-key-length=0")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining("idempotency.web.max-key-length is 0"));
    }

    @Test
    void keysThatNoStoreTakesCannotBeAllowed() {
        runner.withPropertyValues("idempotency.web.max-key-length=1025")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining("idempotency.web.max-key-length is 1025, but must be at most 1024"));
        runner.withPropertyValues("idempotency.web.max-key-length=1024")
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void thereIsNoHttpDoorWithoutServletsWithoutSpringMvcOrWhenSwitchedOff() {
        new ApplicationContextRunner()
                .withConfiguration(AUTO_CONFIGURATIONS)
                .withPropertyValues("idempotency.store=memory")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(WebInvocationDoor.class));
        runner.withClassLoader(new FilteredClassLoader(DispatcherServlet.class))
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(WebInvocationDoor.class));
        runner.withPropertyValues("idempotency.web.enabled=false")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(FilterRegistrationBean.class));
        runner.withPropertyValues("idempotency.enabled=false")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(FilterRegistrationBean.class));
    }

    @Test
    void theApplicationsOwnBeansReplaceOurs() {
        runner.withUserConfiguration(OwnSettings.class)
                .run(context -> assertThat(context.getBean(WebSettings.class).headerNames())
                        .containsExactly("Own"));
    }

    @Test
    void aHandlerThatCannotBeProtectedStopsTheStart() {
        runner.withBean(Streaming.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasMessageContaining("Streaming.stream")
                        .hasMessageContaining("streams its response"));
        runner.withBean(Reading.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasMessageContaining("Reading.read")
                        .hasMessageContaining("remove @Idempotent"));
    }

    @Test
    void settingsWithoutAHeaderNameAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new WebSettings(
                        List.of(), false, Optional.empty(), 1, 1, 1, List.of(), FingerprintStrategy.AUTO))
                .withMessageContaining("idempotency.web.header-names");
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnSettings {

        @Bean
        WebSettings settings() {
            return new WebSettings(
                    List.of("Own"), false, Optional.empty(), 1, 1, 1, List.of(), FingerprintStrategy.AUTO);
        }
    }

    @RestController
    static class Streaming {

        @PostMapping
        @Idempotent
        SseEmitter stream() {
            return new SseEmitter();
        }
    }

    @RestController
    static class Reading {

        @GetMapping
        @Idempotent
        String read() {
            return "";
        }
    }
}
