package io.idempotency.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.annotation.Idempotent;
import jakarta.servlet.Filter;
import jakarta.servlet.ServletException;
import java.net.http.HttpResponse;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** A filter around the exchange that calls the rest of the chain once more after a failure. */
class RepeatedChainTests {

    @RegisterExtension
    static final WebApplication application =
            WebApplication.of(Orders.class, Repeating.class).with("spring.web.error.include-message=always");

    private static final AtomicInteger executions = new AtomicInteger();

    private final String key = UUID.randomUUID().toString();

    /** The body was read by the first try, so that nobody knows any more what was asked. */
    @Test
    void nothingRunsInAnExchangeThatHasEndedAndTheClientMayTryAgain() {
        HttpResponse<String> refused = application.post("/orders", "{}", "Idempotency-Key", key);

        assertThat(refused.statusCode()).isEqualTo(500);
        assertThat(refused.body()).contains("has ended, so that there is no claim");
        assertThat(executions).hasValue(1);
        assertThat(application.post("/orders", "{}", "Idempotency-Key", key).body())
                .isEqualTo("order 2");
    }

    @RestController
    static class Orders {

        @PostMapping("/orders")
        @Idempotent
        String order() {
            int current = executions.incrementAndGet();
            if (current == 1) {
                throw new IllegalStateException("the first try fails");
            }
            return "order " + current;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Repeating {

        @Bean
        FilterRegistrationBean<Filter> repeating() {
            FilterRegistrationBean<Filter> registration = new FilterRegistrationBean<>((request, response, chain) -> {
                try {
                    chain.doFilter(request, response);
                } catch (ServletException failure) {
                    chain.doFilter(request, response);
                }
            });
            registration.setOrder(IdempotencyFilter.DEFAULT_ORDER - 1);
            return registration;
        }
    }
}
