package io.idempotency.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.annotation.Idempotent;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpMethod;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.filter.UrlHandlerFilter;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerResponse;
import org.springframework.web.util.WebUtils;

/** What the door does to requests that it does not protect: nothing. */
class UnprotectedRequestTests {

    @RegisterExtension
    static final WebApplication application = WebApplication.of(Orders.class, OtherWays.class);

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

    static final class AnsweringServlet extends HttpServlet {

        private static final long serialVersionUID = 1L;

        @Override
        protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
            response.getWriter().print(kindOf(request, response));
        }
    }
}
