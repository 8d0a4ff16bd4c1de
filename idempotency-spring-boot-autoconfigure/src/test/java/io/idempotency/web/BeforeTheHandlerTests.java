package io.idempotency.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.annotation.Idempotent;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** Errors of requests that come to no handler. */
class BeforeTheHandlerTests {

    @RegisterExtension
    static final WebApplication application = WebApplication.of(Orders.class, BusyFilter.class);

    private final String key = UUID.randomUUID().toString();

    @ParameterizedTest
    @CsvSource({
        "404,POST,/orders/unknown,application/json,application/json,no",
        "405,PUT,/orders,application/json,application/json,no",
        "415,POST,/orders,text/plain,application/json,no",
        "406,POST,/orders,application/json,image/png,no",
        "429,POST,/orders,application/json,application/json,yes"
    })
    void anErrorBeforeTheHandlerTouchesNoKey(
            int status, String method, String path, String contentType, String accept, String busy) {
        int claims = application.store().claims();

        HttpResponse<String> refused = send(method, path, contentType, accept, busy);

        assertThat(refused.statusCode()).isEqualTo(status);
        assertThat(application.store().claims()).isEqualTo(claims);
        assertThat(correct().statusCode()).isEqualTo(200);
        assertThat(correct().headers().firstValue("Idempotent-Replayed")).contains("true");
    }

    @Test
    void anErrorBeforeTheHandlerComesBeforeAReplayToo() {
        correct();

        assertThat(send("PUT", "/orders", "application/json", "application/json", "no")
                        .statusCode())
                .isEqualTo(405);
        assertThat(send("POST", "/orders", "application/json", "application/json", "yes")
                        .statusCode())
                .isEqualTo(429);
    }

    private HttpResponse<String> correct() {
        return send("POST", "/orders", "application/json", "application/json", "no");
    }

    private HttpResponse<String> send(String method, String path, String contentType, String accept, String busy) {
        return application.send(application
                .request(path)
                .headers("Idempotency-Key", key, "Content-Type", contentType, "Accept", accept, "Busy", busy)
                .method(method, BodyPublishers.ofString("{}")));
    }

    record Order(int id) {}

    @RestController
    static class Orders {

        @PostMapping(path = "/orders", consumes = "application/json", produces = "application/json")
        @Idempotent
        Order order() {
            return new Order(1);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class BusyFilter {

        @Bean
        FilterRegistrationBean<Filter> busyFilter() {
            FilterRegistrationBean<Filter> registration = new FilterRegistrationBean<>((request, response, chain) -> {
                if ("yes".equals(((HttpServletRequest) request).getHeader("Busy"))) {
                    ((HttpServletResponse) response).sendError(429);
                } else {
                    chain.doFilter(request, response);
                }
            });
            registration.setOrder(IdempotencyFilter.DEFAULT_ORDER + 1);
            return registration;
        }
    }
}
