package io.idempotency.web;

import static io.idempotency.web.WebApplication.isReplay;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idempotency.annotation.Idempotent;
import jakarta.validation.ConstraintViolationException;
import jakarta.validation.constraints.Positive;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.http.ResponseEntity;
import org.springframework.validation.annotation.Validated;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

class FailureTests {

    @RegisterExtension
    static final WebApplication application = WebApplication.of(FailingPayments.class, ValidatedPayments.class);

    private final String key = UUID.randomUUID().toString();

    @ParameterizedTest
    @ValueSource(ints = {401, 403, 408, 425, 429, 500, 502, 503, 504})
    void aStatusThatSaysNotNowOrNotYouFreesTheKey(int status) {
        for (String path : List.of("/returned", "/raised")) {
            assertThat(post(path, status).statusCode()).isEqualTo(status);
            assertThat(post(path, 200).statusCode()).isEqualTo(200);
            assertThat(isReplay(post(path, status))).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {200, 302, 400, 404, 409, 410, 415, 422})
    void anyOtherStatusOfTheHandlerIsAnOutcome(int status) {
        for (String path : List.of("/returned", "/raised")) {
            assertThat(post(path, status).statusCode()).isEqualTo(status);
            assertThat(post(path, 500).statusCode()).isEqualTo(status);
            assertThat(isReplay(post(path, 500))).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/exception", "/error", "/overflow", "/handled"})
    void whatTheHandlerThrowsFreesTheKey(String path) {
        int before = FailingPayments.executions.get();

        assertThat(post(path).statusCode()).isEqualTo(500);
        assertThat(post(path).statusCode()).isEqualTo(500);
        assertThat(FailingPayments.executions).hasValue(before + 2);
    }

    @Test
    void aFailureMayBeTheOutcome() {
        assertThat(post("/stored/503").body()).isEqualTo("sorry");
        assertThat(post("/stored/503").statusCode()).isEqualTo(503);
        assertThat(post("/stored/503").body()).isEqualTo("sorry");
        assertThat(isReplay(post("/stored/503"))).isTrue();
        assertThat(post("/stored/429").statusCode()).isEqualTo(429);
        assertThat(isReplay(post("/stored/429"))).isFalse();
    }

    @Test
    void aRecordedFailureThatBecameNoResponseIsToldAndNothingRuns() {
        int before = FailingPayments.executions.get();

        assertThat(post("/stored-exception").statusCode()).isEqualTo(500);
        HttpResponse<String> second = post("/stored-exception");

        assertThat(second.statusCode()).isEqualTo(500);
        assertThat(second.body())
                .contains("\"type\":\"urn:problem-type:idempotency:recorded-failure\"")
                .doesNotContain("IllegalState", "broken");
        assertThat(FailingPayments.executions).hasValue(before + 1);
    }

    @Test
    void aRecordedKindOfFailureIsRecordedAsItsResponse() {
        assertThat(post("/declined").statusCode()).isEqualTo(502);
        assertThat(post("/declined").body()).isEqualTo("declined");
        assertThat(isReplay(post("/declined"))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/held/500", "/held-exception"})
    void aFailureMayLeaveADoubt(String path) {
        assertThat(post(path).statusCode()).isEqualTo(500);

        HttpResponse<String> second = post(path);

        assertThat(second.statusCode()).isEqualTo(409);
        assertThat(second.headers().firstValue("Retry-After")).isEmpty();
        assertThat(second.body()).contains("\"type\":\"urn:problem-type:idempotency:in-doubt\"");
    }

    @ParameterizedTest
    @ValueSource(ints = {401, 403, 408, 425, 429})
    void aStatusThatIsNeverRecordedMayLeaveADoubtToo(int status) {
        assertThat(post("/held/" + status).statusCode()).isEqualTo(status);

        assertThat(post("/held/" + status).body()).contains("\"type\":\"urn:problem-type:idempotency:in-doubt\"");
    }

    @Test
    void anInterruptedThreadStillEndsItsClaim() {
        postInterrupted("/interrupted");
        postInterrupted("/interrupted-and-failed");

        // An interrupted thread waits for no store, so the end is written while the next request is under way.
        await().until(() -> isReplay(post("/interrupted")));
        await().until(() -> post("/interrupted-and-failed").body().equals("done at last"));
    }

    @Test
    void whatTheCallerMayNotDoIsNoFailureToBeRecorded() {
        assertThat(post("/denied").statusCode()).isEqualTo(500);
        assertThat(post("/denied").statusCode()).isEqualTo(500);
        assertThat(post("/denied").body()).doesNotContain("recorded-failure");
        assertThat(post("/denied-and-hidden").statusCode()).isEqualTo(404);
        assertThat(isReplay(post("/denied-and-hidden"))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-future", "-callable", "-task", "-deferred"})
    void aResultThatCannotBeRenderedIsNotProducedAgain(String kind) {
        int before = FailingPayments.executions.get();

        assertThat(post("/unrenderable" + kind).statusCode()).isEqualTo(500);
        HttpResponse<String> second = post("/unrenderable" + kind);

        assertThat(second.statusCode()).isEqualTo(409);
        assertThat(second.body()).contains("\"type\":\"urn:problem-type:idempotency:outcome-unavailable\"");
        assertThat(FailingPayments.executions).hasValue(before + 1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/failing-later", "/failing-stream"})
    void laterWorkThatFailsFreesTheKey(String path) {
        int before = FailingPayments.executions.get();

        assertThat(post(path).statusCode()).isEqualTo(500);
        assertThat(post(path).statusCode()).isEqualTo(500);
        assertThat(FailingPayments.executions).hasValue(before + 2);
    }

    @Test
    void aScopeThatIsMissingIsNotTheFaultOfTheClientAndNamesNoExpression() {
        HttpResponse<String> response = post("/scopeless");

        assertThat(response.statusCode()).isEqualTo(500);
        assertThat(response.body()).doesNotContain("nobody");
    }

    @Test
    void aViolationFoundByTheProxyOfTheHandlerFreesTheKey() {
        String path = "/validated?amount=";

        assertThat(post(path + "-1").statusCode()).isEqualTo(400);
        assertThat(post(path + "1").body()).isEqualTo("valid");
    }

    /** What an interrupted thread sends, if anything, is the business of the server. */
    private void postInterrupted(String path) {
        FailingPayments.interruptions.set(1);
        try {
            post(path);
        } catch (UncheckedIOException unsent) {
            assertThat(unsent).hasMessageContaining("no bytes");
        }
        assertThat(FailingPayments.interruptions).hasValue(0);
    }

    private HttpResponse<String> post(String path, int status) {
        return application.post(path, "{}", "Idempotency-Key", key, "X-Status", Integer.toString(status));
    }

    private HttpResponse<String> post(String path) {
        return application.post(path, "{}", "Idempotency-Key", key + path.split("\\?", 2)[0]);
    }

    @RestController
    @Validated
    static class ValidatedPayments {

        @PostMapping("/validated")
        @Idempotent
        String validated(@RequestParam @Positive int amount) {
            return "valid";
        }

        @ExceptionHandler
        ResponseEntity<String> violated(ConstraintViolationException exception) {
            return ResponseEntity.badRequest().body("violated");
        }
    }
}
