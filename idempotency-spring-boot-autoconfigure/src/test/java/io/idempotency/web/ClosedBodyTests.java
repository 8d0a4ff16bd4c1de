package io.idempotency.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.idempotency.annotation.Idempotent;
import jakarta.servlet.Filter;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.http.HttpServletRequest;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpResponse;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.json.JsonMapper;

/** The body of a request that was read and closed before the claim: by a filter, or while arguments are bound. */
class ClosedBodyTests {

    @RegisterExtension
    static final WebApplication application = WebApplication.of(Payments.class, ClosingFilter.class);

    private final String key = UUID.randomUUID().toString();

    @ParameterizedTest
    @ValueSource(strings = {"stream", "first byte", "reader", "mapper"})
    void aBodyThatWasClosedIsComparedAsAWhole(String closed) {
        String first = post("/payments", 10, closed).body();

        assertThat(first).startsWith("paid");
        assertThat(post("/payments", 10, closed).body()).isEqualTo(first);
        assertThat(post("/payments", 11, closed).statusCode()).isEqualTo(422);
    }

    @Test
    void whatWasClosedIsReadAsWithoutTheAnnotation() {
        HttpResponse<String> unprotected = post("/unprotected", 10, "first byte");
        HttpResponse<String> first = post("/read-payments", 10, "first byte");

        assertThat(first.statusCode()).isEqualTo(unprotected.statusCode());
        if (first.statusCode() == 200) {
            assertThat(first.body()).isEqualTo(unprotected.body());
        }
    }

    private HttpResponse<String> post(String path, int amount, String closed) {
        return application.post(path, "{\"amount\":%d}".formatted(amount), "Idempotency-Key", key, "Close", closed);
    }

    record Payment(@JsonProperty int amount) {}

    @RestController
    static class Payments {

        @PostMapping("/payments")
        @Idempotent
        String pay(@RequestAttribute Object known) {
            return "paid " + known;
        }

        @PostMapping("/read-payments")
        @Idempotent
        String payTheRest(@RequestBody(required = false) @Nullable String body) {
            return "rest " + body;
        }

        @PostMapping("/unprotected")
        String unprotected(@RequestBody(required = false) @Nullable String body) {
            return "rest " + body;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class ClosingFilter {

        @Bean
        Filter closingFilter() {
            JsonMapper mapper = new JsonMapper();
            return (request, response, chain) -> {
                request.setAttribute("known", read(request, mapper));
                chain.doFilter(request, response);
            };
        }

        private static Object read(ServletRequest request, JsonMapper mapper) throws IOException {
            String how = ((HttpServletRequest) request).getHeader("Close");
            return switch (how) {
                case "reader" -> {
                    try (BufferedReader reader = request.getReader()) {
                        yield reader.readLine();
                    }
                }
                case "mapper" -> mapper.readValue(request.getInputStream(), Payment.class);
                default -> {
                    try (InputStream stream = request.getInputStream()) {
                        yield how.equals("stream") ? stream.readAllBytes().length : stream.read();
                    }
                }
            };
        }
    }
}
