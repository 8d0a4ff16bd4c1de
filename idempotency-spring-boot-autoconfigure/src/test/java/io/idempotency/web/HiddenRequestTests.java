package io.idempotency.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.annotation.Idempotent;
import jakarta.servlet.Filter;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.util.ServletRequestPathUtils;

/** Requests for protected handlers that look like others when they come to the door, or are looked at before. */
class HiddenRequestTests {

    @RegisterExtension
    static final WebApplication renaming = WebApplication.of(Orders.class, RenamingFilter.class);

    @RegisterExtension
    static final WebApplication looking = WebApplication.of(Orders.class, LookingFilter.class);

    @RegisterExtension
    static final WebApplication watching =
            WebApplication.of(Orders.class, UnknownMapping.class).with("spring.web.error.include-message=always");

    private static final AtomicInteger executions = new AtomicInteger();

    private final String key = UUID.randomUUID().toString();

    @Test
    void aHandlerWhosePathIsMadeByAnotherFilterNeverRunsWithoutProtection() {
        int before = executions.get();
        HttpResponse<String> refused = postRenamed();

        assertThat(refused.statusCode()).isEqualTo(503);
        assertThat(refused.headers().firstValue("Retry-After")).contains("1");
        assertThat(executions).hasValue(before);
        assertThat(postRenamed().body())
                .startsWith("order ")
                .isEqualTo(postRenamed().body());
    }

    @Test
    void aFilterMayAskForTheHandlerBeforehand() {
        HttpResponse<String> first = looking.post("/orders", "{}", "Idempotency-Key", key);

        assertThat(first.body()).startsWith("order ");
        assertThat(looking.post("/orders", "{}", "Idempotency-Key", key).body()).isEqualTo(first.body());
    }

    @Test
    void whereEveryRequestIsWatchedAnIncludedHandlerIsRefusedToo() {
        int before = executions.get();
        HttpResponse<String> refused = watching.post("/including", "{}", "Idempotency-Key", key);

        assertThat(refused.statusCode()).isEqualTo(500);
        assertThat(refused.body()).contains("could be neither refused nor recorded");
        assertThat(executions).hasValue(before);
    }

    private HttpResponse<String> postRenamed() {
        return renaming.post("/renamed-orders", "{}", "Idempotency-Key", key);
    }

    @RestController
    static class Orders {

        @PostMapping("/orders")
        @Idempotent
        String create() {
            return "order " + executions.incrementAndGet();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class RenamingFilter {

        @Bean
        Filter renamingFilter() {
            return (request, response, chain) -> chain.doFilter(renamed((HttpServletRequest) request), response);
        }

        private static HttpServletRequest renamed(HttpServletRequest request) {
            return !request.getRequestURI().equals("/renamed-orders")
                    ? request
                    : new HttpServletRequestWrapper(request) {
                        @Override
                        public String getRequestURI() {
                            return "/orders";
                        }

                        @Override
                        public String getServletPath() {
                            return "/orders";
                        }
                    };
        }
    }

    /** Looks up the handler before the door does, as filters do that count or let in by handler. */
    @Configuration(proxyBeanMethods = false)
    static class LookingFilter {

        @Bean
        FilterRegistrationBean<Filter> looking(
                @Qualifier("requestMappingHandlerMapping") ObjectProvider<HandlerMapping> mapping) {
            FilterRegistrationBean<Filter> registration = new FilterRegistrationBean<>((request, response, chain) -> {
                HttpServletRequest looked = (HttpServletRequest) request;
                ServletRequestPathUtils.parseAndCache(looked);
                try {
                    mapping.getObject().getHandler(looked);
                } catch (Exception unexpected) {
                    throw new ServletException(unexpected);
                }
                chain.doFilter(request, response);
            });
            registration.setOrder(IdempotencyFilter.DEFAULT_ORDER - 1);
            return registration;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class UnknownMapping {

        @Bean
        HandlerMapping unknownMapping() {
            return request -> null;
        }

        @Bean
        ServletRegistrationBean<IncludingServlet> includingServlet() {
            return new ServletRegistrationBean<>(new IncludingServlet(), "/including");
        }
    }

    static final class IncludingServlet extends HttpServlet {

        private static final long serialVersionUID = 1L;

        @Override
        protected void doPost(HttpServletRequest request, HttpServletResponse response)
                throws IOException, ServletException {
            Objects.requireNonNull(request.getRequestDispatcher("/orders")).include(request, response);
        }
    }
}
