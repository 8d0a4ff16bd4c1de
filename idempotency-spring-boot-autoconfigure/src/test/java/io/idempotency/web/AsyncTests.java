package io.idempotency.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AsyncTests {

    @RegisterExtension
    static final WebApplication application = WebApplication.of(Reports.class);

    private final String key = UUID.randomUUID().toString();

    @BeforeEach
    void reset() {
        Reports.reset();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/future", "/callable", "/deferred", "/web-async-task", "/streaming", "/streaming-entity"})
    void theResponseOfLaterWorkIsRecorded(String path) {
        Reports.gate.countDown();

        HttpResponse<String> first = post(path);
        HttpResponse<String> second = post(path);

        assertThat(first.statusCode()).isEqualTo(201);
        assertThat(first.body()).startsWith("report");
        assertThat(second.statusCode()).isEqualTo(201);
        assertThat(second.body()).isEqualTo(first.body());
        assertThat(second.headers().firstValue("Idempotent-Replayed")).contains("true");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/future", "/callable", "/deferred", "/web-async-task", "/streaming", "/streaming-entity"})
    void laterWorkThatFailsFreesTheKey(String path) {
        Reports.gate.countDown();
        Reports.failing = true;
        assertThat(post(path).statusCode()).isEqualTo(500);

        Reports.failing = false;

        assertThat(post(path).statusCode()).isEqualTo(201);
    }

    @Test
    void aCancelledFutureSaysNothingAboutItsWork() {
        assertThat(post("/cancelled").statusCode()).isEqualTo(500);

        assertThat(post("/cancelled").body()).contains("in-doubt");
    }

    @Test
    void aCallableRunsInTheOperationOfItsHandler() {
        assertThat(post("/context").body()).isEqualTo("attempt 1");
    }

    private HttpResponse<String> post(String path) {
        return application.post(path, "{}", "Idempotency-Key", key + path);
    }
}
