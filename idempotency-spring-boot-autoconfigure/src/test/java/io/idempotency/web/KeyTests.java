package io.idempotency.web;

import static io.idempotency.web.WebApplication.isReplay;
import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.annotation.Idempotent;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.bind.annotation.RestController;

class KeyTests {

    @RegisterExtension
    static final WebApplication application = WebApplication.of(Orders.class);

    private static final AtomicInteger executions = new AtomicInteger();

    private final String key = UUID.randomUUID().toString();

    @Test
    void quotedAndUnquotedAreOneKey() {
        post("/orders", "Idempotency-Key", '"' + key + '"');
        HttpResponse<String> second = post("/orders", "Idempotency-Key", key);
        HttpResponse<String> third = post("/orders", "Idempotency-Key", '"' + key + "\";p=1");

        assertThat(isReplay(second)).isTrue();
        assertThat(isReplay(third)).isTrue();
    }

    @Test
    void escapesOfAQuotedKeyAreResolved() {
        post("/orders", "Idempotency-Key", "\"" + key + "\\\\x\"");

        assertThat(isReplay(post("/orders", "Idempotency-Key", key + "\\x"))).isTrue();
    }

    @Test
    void bothHeaderNamesHoldTheKey() {
        post("/orders", "Idempotency-Key", key);

        assertThat(isReplay(post("/orders", "X-Idempotency-Key", key))).isTrue();
        assertThat(isReplay(post("/orders", "X-Idempotency-Key", key, "Idempotency-Key", '"' + key + '"')))
                .isTrue();
    }

    @Test
    void anOperationMayHaveAHeaderOfItsOwn() {
        post("/webhooks", "webhook-id", key);

        assertThat(isReplay(post("/webhooks", "webhook-id", key))).isTrue();
        assertThat(post("/webhooks", "Idempotency-Key", key).body()).contains("key-missing");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/orders", "/optional", "/webhooks"})
    void theSameKeyOfAnotherOperationIsAnotherIntent(String path) {
        HttpResponse<String> response = post(path, "Idempotency-Key", "shared", "webhook-id", "shared");

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(isReplay(response)).isFalse();
    }

    @Test
    void aMissingKeyIsRefusedBeforeAnythingHappens() {
        int claims = application.store().claims();
        int before = executions.get();

        HttpResponse<String> response = post("/orders");

        assertThat(response.statusCode()).isEqualTo(400);
        assertThat(response.headers().firstValue("Content-Type")).contains("application/problem+json");
        assertThat(response.headers().firstValue("Link").orElseThrow()).contains("rel=\"describedby\"");
        assertThat(response.body())
                .contains("\"type\":\"urn:problem-type:idempotency:key-missing\"", "\"status\":400", "Idempotency-Key");
        assertThat(application.store().claims()).isEqualTo(claims);
        assertThat(executions).hasValue(before);
    }

    static String[] malformedKeys() {
        return new String[] {
            "",
            " ",
            "\t",
            "\"\"",
            "\"  \"",
            "\"",
            "\"open",
            "open\"",
            "\"a\"b\"",
            "\"a\\b\"",
            "\"a\", \"b\"",
            "a, b",
            "a\tb",
            "k".repeat(256),
            '"' + "k".repeat(256) + '"'
        };
    }

    @ParameterizedTest
    @MethodSource("malformedKeys")
    void aMalformedKeyIsRefusedBeforeAnythingHappens(String malformed) {
        int claims = application.store().claims();
        int before = executions.get();

        for (String path : new String[] {"/orders", "/optional"}) {
            HttpResponse<String> response = post(path, "Idempotency-Key", malformed);

            assertThat(response.statusCode()).isEqualTo(400);
            assertThat(response.body()).contains("\"type\":\"urn:problem-type:idempotency:key-malformed\"");
        }
        assertThat(application.store().claims()).isEqualTo(claims);
        assertThat(executions).hasValue(before);
    }

    @Test
    void severalKeysAreRefused() {
        assertThat(post("/orders", "Idempotency-Key", key, "Idempotency-Key", key)
                        .body())
                .contains("key-malformed");
        assertThat(post("/orders", "Idempotency-Key", key, "X-Idempotency-Key", "other")
                        .body())
                .contains("key-malformed");
    }

    @Test
    void theLongestKeyIsAccepted() {
        assertThat(post("/orders", "Idempotency-Key", key + "k".repeat(255 - key.length()))
                        .statusCode())
                .isEqualTo(200);
    }

    @Test
    void withoutAKeyAnOptionalOperationRunsUnprotected() {
        int claims = application.store().claims();
        int before = executions.get();

        assertThat(post("/optional").body()).isEqualTo("order " + (before + 1));
        assertThat(post("/optional").body()).isEqualTo("order " + (before + 2));
        assertThat(application.store().claims()).isEqualTo(claims);
    }

    @Test
    void safeMethodsOfAnAnnotatedHandlerIgnoreTheKey() {
        HttpRequest.Builder get =
                application.request("/both").header("Idempotency-Key", key).GET();

        assertThat(isReplay(application.send(get))).isFalse();
        assertThat(application.send(get).statusCode()).isEqualTo(200);
        assertThat(isReplay(application.send(get))).isFalse();
    }

    @Test
    void theKeyMayBeMadeOfBoundArguments() {
        String event = "{\"source\":\"acme\",\"id\":\"%s\",\"type\":\"paid\",\"data\":1}".formatted(key);

        HttpResponse<String> first = application.post("/events", event);
        HttpResponse<String> second = application.post("/events", event.replace("\"data\":1", "\"data\": 1"));
        HttpResponse<String> other = application.post("/events", event.replace("acme", "other"));

        assertThat(isReplay(first)).isFalse();
        assertThat(isReplay(second)).isTrue();
        assertThat(second.body()).isEqualTo(first.body());
        assertThat(isReplay(other)).isFalse();
    }

    @Test
    void whatTheKeyIsMadeOfMayBeMissingOrMalformed() {
        HttpResponse<String> missing =
                application.post("/events", "{\"source\":\"acme\",\"type\":\"paid\",\"data\":1}");
        HttpResponse<String> control = application.post("/ids", "{\"id\":\"a\\u0000b\"}");
        HttpResponse<String> tooLong = application.post("/ids", "{\"id\":\"%s\"}".formatted("k".repeat(1025)));

        assertThat(missing.statusCode()).isEqualTo(400);
        assertThat(missing.body()).contains("key-missing").doesNotContain("#event", "Orders");
        assertThat(control.statusCode()).isEqualTo(400);
        assertThat(control.body()).contains("key-malformed");
        assertThat(tooLong.body()).contains("key-malformed");
    }

    private HttpResponse<String> post(String path, String... headers) {
        return application.post(path, "{}", headers);
    }

    record Event(String source, String id, String type, int data) {}

    record Identified(String id) {}

    @RestController
    static class Orders {

        @PostMapping("/orders")
        @Idempotent
        String create() {
            return next();
        }

        @PostMapping("/optional")
        @Idempotent(required = false)
        String createOptionally() {
            return next();
        }

        @PostMapping("/webhooks")
        @Idempotent(header = "webhook-id")
        String receive() {
            return next();
        }

        @RequestMapping(
                path = "/both",
                method = {RequestMethod.GET, RequestMethod.POST})
        @Idempotent
        String both() {
            return next();
        }

        @PostMapping("/events")
        @Idempotent(key = "#sha256(#event.source, #event.id, #event.type)")
        String receive(@RequestBody Event event) {
            return next();
        }

        @PostMapping("/ids")
        @Idempotent(key = "#body.id")
        String identified(@RequestBody Identified body) {
            return next();
        }

        private String next() {
            return "order " + executions.incrementAndGet();
        }
    }
}
