package io.idempotency.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.annotation.Idempotent;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** What beans of the application keep out of the store. */
class ResponseRedactorTests {

    @RegisterExtension
    static final WebApplication application = WebApplication.of(Cards.class, Redaction.class);

    private static final AtomicInteger executions = new AtomicInteger();

    private final String key = UUID.randomUUID().toString();

    @Test
    void whatIsRedactedIsNeitherStoredNorReplayed() {
        HttpResponse<String> first = post("/cards");
        HttpResponse<String> replay = post("/cards");

        assertThat(first.body()).isEqualTo("card 4242424242424242");
        assertThat(first.headers().firstValue("Location")).contains("/cards/4242424242424242");
        assertThat(replay.body()).isEqualTo("card of create-card ************4242");
        assertThat(replay.headers().firstValue("Location")).isEmpty();
        assertThat(replay.headers().firstValue("Idempotent-Replayed")).contains("true");
        assertThat(replay.statusCode()).isEqualTo(201);
    }

    @Test
    void theLocationOfARedirectIsRedactedToo() {
        HttpResponse<String> first = post("/redirects");
        HttpResponse<String> replay = post("/redirects");

        assertThat(first.headers().firstValue("Location").orElseThrow()).endsWith("/cards/4242424242424242");
        assertThat(replay.headers().firstValue("Idempotent-Replayed")).contains("true");
        assertThat(replay.headers().firstValue("Location").orElseThrow()).endsWith("/cards/************4242");
    }

    @Test
    void whatMustNotBeStoredIsNotExecutedAgain() {
        assertThat(post("/tokens").body()).startsWith("token ");
        int executed = executions.get();

        assertThat(post("/tokens").body()).contains("outcome-unavailable");
        assertThat(executions).hasValue(executed);
    }

    @ParameterizedTest
    @ValueSource(strings = {"exception", "error", "header"})
    void whatCannotBeRedactedIsNotStored(String planted) {
        assertThat(post("/failing/" + planted).body()).isEqualTo("unknown");

        assertThat(post("/failing/" + planted).body()).contains("outcome-unavailable");
    }

    @Test
    void aHeaderIsLeftOutHoweverItIsWritten() {
        RecordableResponse response = new RecordableResponse(
                "create-card", 201, Map.of("Location", List.of("/cards/1"), "ETag", List.of("1")), "", new byte[0]);

        assertThat(response.withoutHeader("location").headers()).containsOnlyKeys("ETag");
    }

    private HttpResponse<String> post(String path) {
        return application.post(path, "{}", "Idempotency-Key", key);
    }

    @RestController
    static class Cards {

        @PostMapping("/cards")
        @Idempotent(operation = "create-card")
        ResponseEntity<String> create() {
            return ResponseEntity.created(URI.create("/cards/4242424242424242")).body("card 4242424242424242");
        }

        @PostMapping("/redirects")
        @Idempotent(operation = "lead-to-card")
        void redirect(HttpServletResponse response) throws IOException {
            response.sendRedirect("/cards/4242424242424242");
        }

        @PostMapping("/tokens")
        @Idempotent(operation = "issue-token")
        String issueToken() {
            return "token " + executions.incrementAndGet();
        }

        @PostMapping("/failing/exception")
        @Idempotent(operation = "failing by exception")
        String failing() {
            return "unknown";
        }

        @PostMapping("/failing/error")
        @Idempotent(operation = "failing by error")
        String failingByError() {
            return "unknown";
        }

        @PostMapping("/failing/header")
        @Idempotent(operation = "failing by header")
        String failingByHeader() {
            return "unknown";
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Redaction {

        // snippet:redactor
        @Bean
        ResponseRedactor tokens() {
            return response ->
                    Optional.of(response).filter(known -> !known.operation().equals("issue-token"));
        }
        // end:redactor

        @Bean
        @Order(1)
        ResponseRedactor cardNumbers() {
            return response ->
                    Optional.of(response.withHeaders(Map.of("Location", List.of(), "X-Kept", List.of("kept")))
                            .withText(masked(response.text()))
                            .withBody(masked(new String(response.body(), StandardCharsets.UTF_8))
                                    .getBytes(StandardCharsets.UTF_8)));
        }

        private static String masked(String text) {
            return text.replaceAll("[0-9]{12}(?=[0-9]{4})", "************");
        }

        @Bean
        @Order(2)
        ResponseRedactor operationNames() {
            return response -> {
                switch (response.operation()) {
                    case "failing by exception" -> throw new IllegalStateException("planted");
                    case "failing by error" -> throw new AssertionError("planted");
                    case "failing by header" -> {
                        return Optional.of(response.withHeaders(Map.of("no token", List.of("value"))));
                    }
                    default -> {}
                }
                String body = new String(response.body(), StandardCharsets.UTF_8);
                return Optional.of(response.withBody(body.replace("card ", "card of " + response.operation() + " ")
                        .getBytes(StandardCharsets.UTF_8)));
            };
        }
    }
}
