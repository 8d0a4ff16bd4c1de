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
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
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
import org.springframework.http.HttpMethod;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.filter.UrlHandlerFilter;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerResponse;
import org.springframework.web.util.ServletRequestPathUtils;
import org.springframework.web.util.WebUtils;

/** What the door does to requests that it does not protect: nothing. And what it does to those that hide. */
class UnprotectedRequestTests {

    @RegisterExtension
    static final WebApplication application = WebApplication.of(Orders.class, OtherWays.class);

    @RegisterExtension
    static final WebApplication renaming = WebApplication.of(Orders.class, RenamingFilter.class);

    @RegisterExtension
    static final WebApplication looking = WebApplication.of(Orders.class, LookingFilter.class);

    @RegisterExtension
    static final WebApplication watching =
            WebApplication.of(Orders.class, UnknownMapping.class).with("spring.web.error.include-message=always");

    /** Spring MVC wraps the response itself. */
    private static final String UNTOUCHED = "of the container and of Spring MVC";

    private static final AtomicInteger executions = new AtomicInteger();

    private final String key = UUID.randomUUID().toString();

    @Test
    void anUnprotectedHandlerGetsTheRequestAndTheResponseOfTheContainer() {
        assertThat(post("/unprotected").body()).isEqualTo(UNTOUCHED);
    }

    @Test
    void anotherMethodOfAProtectedPathIsNotTouched() {
        HttpRequest.Builder put =
                application.request("/orders").method(HttpMethod.PUT.name(), BodyPublishers.ofString("{}"));

        assertThat(application.send(put).body()).isEqualTo(UNTOUCHED);
    }

    @Test
    void whatMayHaveBeenForAProtectedHandlerIsHandedThrough() {
        assertThat(post("/orders/search").body()).isEqualTo(UNTOUCHED);
        assertThat(post("/orders/7").body()).startsWith("order ");
    }

    @Test
    void aRouterFunctionIsNotTouched() {
        assertThat(post("/routed").body()).isEqualTo(UNTOUCHED);
    }

    @Test
    void anotherServletIsNotTouched() {
        assertThat(post("/servlet").body()).isEqualTo(UNTOUCHED);
    }

    @Test
    void aProtectedHandlerIsReachedThoughAFilterRemovesTheSlashAtTheEnd() {
        assertThat(post("/orders/").body())
                .startsWith("order ")
                .isEqualTo(post("/orders/").body());
    }

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

    private HttpResponse<String> post(String path) {
        return application.post(path, "{}", "Idempotency-Key", key);
    }

    private static String kindOf(HttpServletRequest request, HttpServletResponse response) {
        boolean touched = request instanceof HttpServletRequestWrapper
                || WebUtils.getNativeResponse(response, ExchangeResponse.class) != null;
        return touched ? "wrapped" : UNTOUCHED;
    }

    @RestController
    static class Orders {

        @PostMapping("/unprotected")
        String unprotected(HttpServletRequest request, HttpServletResponse response) {
            return kindOf(request, response);
        }

        @PutMapping("/orders")
        String replace(HttpServletRequest request, HttpServletResponse response) {
            return kindOf(request, response);
        }

        @PostMapping("/orders/search")
        String search(HttpServletRequest request, HttpServletResponse response) throws IOException {
            boolean watched = request.getInputStream() instanceof ObservedInputStream
                    || response.getOutputStream() instanceof ExchangeOutputStream;
            return watched ? "watched" : UNTOUCHED;
        }

        @PostMapping({"/orders", "/orders/{id}"})
        @Idempotent
        String create() {
            return "order " + executions.incrementAndGet();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OtherWays {

        @Bean
        RouterFunction<ServerResponse> routed() {
            return RouterFunctions.route()
                    .POST(
                            "/routed",
                            request -> ServerResponse.ok().build((servletRequest, response) -> {
                                response.getWriter().print(kindOf(servletRequest, response));
                                return null;
                            }))
                    .build();
        }

        @Bean
        ServletRegistrationBean<AnsweringServlet> servlet() {
            return new ServletRegistrationBean<>(new AnsweringServlet(), "/servlet");
        }

        @Bean
        FilterRegistrationBean<UrlHandlerFilter> withoutTrailingSlash() {
            return new FilterRegistrationBean<>(UrlHandlerFilter.trailingSlashHandler("/orders/")
                    .wrapRequest()
                    .build());
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

    static final class AnsweringServlet extends HttpServlet {

        private static final long serialVersionUID = 1L;

        @Override
        protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
            response.getWriter().print(kindOf(request, response));
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
}
