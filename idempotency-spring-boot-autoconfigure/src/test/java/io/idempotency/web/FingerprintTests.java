package io.idempotency.web;

import static io.idempotency.web.WebApplication.isReplay;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;

/** What of a request is compared, and what the annotation says about that. */
class FingerprintTests extends WithComparedPayments {

    @Test
    void anotherBodyIsMisuseOfTheKeyAndNothingOfTheAnswerIsShown() {
        String first = post("/json", "{\"amount\":10}").body();
        HttpResponse<String> second = post("/json", "{\"amount\":11}");

        assertThat(first).isEqualTo("{\"amount\":10}");
        assertThat(second.statusCode()).isEqualTo(422);
        assertThat(second.headers().firstValue("Content-Type")).contains("application/problem+json");
        assertThat(second.headers().firstValue("Retry-After")).isEmpty();
        assertThat(second.body())
                .contains("\"type\":\"urn:problem-type:idempotency:key-reused\"")
                .doesNotContain("amount", key);
        assertThat(isReplay(post("/json", "{\"amount\":10}"))).isTrue();
    }

    @Test
    void rawComparesTheBytesOfJson() {
        post("/raw", "{\"a\":1}");

        assertThat(isReplay(post("/raw", "{\"a\":1}"))).isTrue();
        assertThat(post("/raw", "{\"a\": 1}").statusCode()).isEqualTo(422);
    }

    @Test
    void noneComparesNothing() {
        post("/none", "{\"a\":1}");

        assertThat(isReplay(post("/none", "{\"a\":2}"))).isTrue();
    }

    @Test
    void anExpressionSaysWhatIsCompared() {
        post("/expression", "{\"amount\":1,\"note\":\"x\"}");

        assertThat(isReplay(post("/expression", "{\"amount\":1,\"note\":\"y\"}")))
                .isTrue();
        assertThat(post("/expression", "{\"amount\":2,\"note\":\"x\"}").statusCode())
                .isEqualTo(422);
    }

    @Test
    void chosenFieldsAreIgnored() {
        assertThat(post("/retried/1", "{\"amount\":1,\"sentAt\":\"10:00\"}").statusCode())
                .isEqualTo(200);

        assertThat(isReplay(post("/retried/1", "{\"sentAt\":\"10:01\", \"amount\":1}")))
                .isTrue();
        assertThat(post("/retried/1", "{\"amount\":2,\"sentAt\":\"10:00\"}").statusCode())
                .isEqualTo(422);
        assertThat(post("/retried/2", "{\"amount\":1,\"sentAt\":\"10:00\"}").statusCode())
                .isEqualTo(422);
    }

    @Test
    void pathVariablesAndMethodAreCompared() {
        assertThat(post("/orders/1/pay", "{}").body()).isEqualTo("paid 1");
        assertThat(post("/orders/2/pay", "{}").statusCode()).isEqualTo(422);
        assertThat(application
                        .send(json("/orders/1/pay", "{}").method("PUT", BodyPublishers.ofString("{}")))
                        .statusCode())
                .isEqualTo(422);
        assertThat(isReplay(post("/orders/1/pay", "{}"))).isTrue();
    }

    @Test
    void theOrderOfQueryParametersDoesNotMatter() {
        post("/json?a=1&b=2&b=3", "{}");

        assertThat(isReplay(post("/json?b=2&a=%31&b=3", "{}"))).isTrue();
        assertThat(post("/json?a=1&b=3&b=2", "{}").statusCode()).isEqualTo(422);
        assertThat(post("/json?a=1", "{}").statusCode()).isEqualTo(422);
    }
}
