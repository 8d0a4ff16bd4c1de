package io.idempotency.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.http.HttpResponse;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AsyncTimeoutTests {

    @RegisterExtension
    static final WebApplication application =
            WebApplication.of(Reports.class).with("spring.mvc.async.request-timeout=1s");

    private final String key = UUID.randomUUID().toString();

    @BeforeEach
    void reset() {
        Reports.reset();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/future", "/callable", "/web-async-task"})
    void afterATimeoutTheClaimFollowsTheWorkToItsSuccess(String path) {
        assertThat(post(path).statusCode()).isEqualTo(503);
        assertThat(post(path).body()).contains("in-progress");

        Reports.gate.countDown();

        await().untilAsserted(() -> assertThat(post(path).body()).contains("outcome-unavailable"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/future", "/denied-future"})
    void afterATimeoutTheClaimFollowsAFutureToItsFailure(String path) {
        Reports.failing = true;
        assertThat(post(path).statusCode()).isEqualTo(503);
        assertThat(post(path).body()).contains("in-progress");

        Reports.gate.countDown();
        await().untilAsserted(() -> assertThat(Reports.ended).hasPositiveValue());
        Reports.failing = false;

        await().untilAsserted(() -> assertThat(post(path).statusCode()).isEqualTo(201));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/callable", "/web-async-task"})
    void aTaskThatFailsAfterATimeoutMayHaveBeenInterruptedAnywhere(String path) {
        Reports.failing = true;
        assertThat(post(path).statusCode()).isEqualTo(503);

        Reports.gate.countDown();

        await().untilAsserted(() -> assertThat(post(path).body()).contains("in-doubt"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/charging-callable", "/charging-task"})
    void aTaskThatATimeoutInterruptsDoesNotRunAgain(String path) {
        assertThat(post(path).statusCode()).isGreaterThanOrEqualTo(500);

        await().untilAsserted(() -> assertThat(post(path).body()).contains("in-doubt"));
        assertThat(Reports.begun).hasValue(1);
    }

    @Test
    void aTaskThatHasNotBegunBeforeATimeoutNeverWillAndFreesTheKey() {
        assertThat(post("/task-in-line").statusCode()).isEqualTo(503);

        await().untilAsserted(
                        () -> assertThat(post("/task-in-line").statusCode()).isEqualTo(503));
        assertThat(Reports.inLine).hasValue(2);
    }

    @Test
    void afterATimeoutAnAnswerThatTellsOfAFailureFreesTheKey() {
        Reports.status = 503;
        assertThat(post("/future").statusCode()).isEqualTo(503);

        Reports.gate.countDown();
        await().untilAsserted(() -> assertThat(Reports.ended).hasPositiveValue());
        Reports.status = 201;

        await().untilAsserted(() -> assertThat(post("/future").statusCode()).isEqualTo(201));
    }

    @ParameterizedTest
    @CsvSource({"/held-future, 429, in-doubt", "/stored-future, 503, outcome-unavailable"})
    void afterATimeoutAnAnswerThatTellsOfAFailureIsOne(String path, int status, String problem) {
        Reports.status = status;
        assertThat(post(path).statusCode()).isEqualTo(503);

        Reports.gate.countDown();

        await().untilAsserted(() -> assertThat(post(path).body()).contains(problem));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/deferred", "/streaming", "/streaming-entity"})
    void afterATimeoutNobodyKnowsTheEndOfWorkThatCannotBeFollowed(String path) {
        assertThat(post(path).statusCode()).isEqualTo(503);

        assertThat(post(path).body()).contains("in-doubt");
        Reports.gate.countDown();
    }

    private HttpResponse<String> post(String path) {
        return application.post(path, "{}", "Idempotency-Key", key + path);
    }
}
