package io.idempotency.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ReplayTests {

    @RegisterExtension
    static final WebApplication application =
            WebApplication.of(ReplayedAnswers.class).with("spring.web.error.include-message=always");

    private final String key = UUID.randomUUID().toString();

    @Test
    void aReplayHasStatusHeadersAndBytesOfTheFirstResponse() {
        HttpResponse<byte[]> first = postForBytes("/created");
        HttpResponse<byte[]> second = postForBytes("/created");

        assertThat(first.statusCode()).isEqualTo(201);
        assertThat(second.statusCode()).isEqualTo(201);
        assertThat(second.body()).isEqualTo(first.body()).isNotEmpty();
        assertThat(List.of("Content-Type", "Location", "Link", "ETag", "Content-Length"))
                .allSatisfy(name -> assertThat(second.headers().allValues(name))
                        .isEqualTo(first.headers().allValues(name))
                        .isNotEmpty());
        assertThat(second.headers().allValues("Link")).containsExactly("</1>; rel=\"a\"", "</2>; rel=\"b\"");
    }

    @Test
    void onlyAReplayIsMarked() {
        assertThat(post("/created").headers().firstValue("Idempotent-Replayed")).isEmpty();
        assertThat(post("/created").headers().firstValue("Idempotent-Replayed")).contains("true");
    }

    @Test
    void aReplayDoesNotExecute() {
        int before = ReplayedAnswers.executions.get();

        post("/created");
        post("/created");
        post("/created");

        assertThat(ReplayedAnswers.executions).hasValue(before + 1);
    }

    @Test
    void headersThatBelongToOneResponseAreNotReplayed() {
        HttpResponse<String> first = post("/headers");
        HttpResponse<String> second = post("/headers");

        assertThat(first.headers().map()).containsKeys("set-cookie", "x-trace-id", "x-ratelimit-remaining");
        assertThat(second.headers().map()).doesNotContainKeys("set-cookie", "x-trace-id", "x-ratelimit-remaining");
        assertThat(second.headers().firstValue("Cache-Control")).contains("max-age=60");
    }

    @Test
    void corsHeadersAreThoseOfThePresentRequestAndShowTheMarker() {
        HttpResponse<String> first =
                application.post("/cors", "{}", "Idempotency-Key", key, "Origin", "https://one.example");
        HttpResponse<String> second =
                application.post("/cors", "{}", "Idempotency-Key", key, "Origin", "https://two.example");

        assertThat(first.headers().firstValue("Access-Control-Allow-Origin")).contains("https://one.example");
        assertThat(second.headers().allValues("Access-Control-Allow-Origin")).containsExactly("https://two.example");
        assertThat(second.headers().allValues("Access-Control-Expose-Headers")).containsExactly("Idempotent-Replayed");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/no-content",
                "/see-other",
                "/redirect",
                "/redirect-with-body",
                "/redirect-view",
                "/view",
                "/written",
                "/money",
                "/conflict",
                "/accepted",
                "/handled",
                "/empty"
            })
    void everyWayToAnswerIsReplayed(String path) {
        HttpResponse<byte[]> first = postForBytes(path);
        HttpResponse<byte[]> second = postForBytes(path);

        assertThat(second.headers().firstValue("Idempotent-Replayed")).contains("true");
        assertThat(second.statusCode()).isEqualTo(first.statusCode()).isLessThan(500);
        assertThat(second.body()).isEqualTo(first.body());
        assertThat(second.headers().allValues("Content-Type"))
                .isEqualTo(first.headers().allValues("Content-Type"));
        assertThat(second.headers().allValues("Location"))
                .isEqualTo(first.headers().allValues("Location"));
    }

    @Test
    void theAnswersThatAreReplayedAreThoseThatWereMeant() {
        assertThat(post("/no-content").statusCode()).isEqualTo(204);
        assertThat(post("/see-other").statusCode()).isEqualTo(303);
        assertThat(post("/redirect").headers().firstValue("Location").orElseThrow())
                .endsWith("/elsewhere");
        assertThat(post("/redirect-with-body")).satisfies(response -> {
            assertThat(response.statusCode()).isEqualTo(303);
            assertThat(response.headers().firstValue("Location").orElseThrow()).endsWith("/elsewhere");
            assertThat(response.body()).hasSize(ReplayedAnswers.LARGER_THAN_A_BUFFER);
        });
        assertThat(post("/written").body()).isEqualTo("grüße");
        assertThat(post("/money").body()).isEqualTo("{\"amount\":10.00}");
        assertThat(post("/conflict").statusCode()).isEqualTo(409);
        assertThat(post("/handled").body()).isEqualTo("sold out");
        assertThat(post("/redirect-view").headers().firstValue("Location").orElseThrow())
                .endsWith("/elsewhere?id=1");
        assertThat(post("/view").body()).isEqualTo("a view of 1");
        assertThat(post("/accepted").statusCode()).isEqualTo(202);
        assertThat(post("/refused").statusCode()).isEqualTo(410);
    }

    @ParameterizedTest
    @CsvSource({"/missing,404,no such order", "/refused,410,sold out"})
    void anErrorPageIsRenderedAgainFromItsStatusAndMessage(String path, int status, String message) {
        HttpResponse<String> first = post(path);
        int executed = ReplayedAnswers.executions.get();
        HttpResponse<String> second = post(path);

        assertThat(first.statusCode()).isEqualTo(status);
        assertThat(second.statusCode()).isEqualTo(status);
        assertThat(second.headers().firstValue("Idempotent-Replayed")).contains("true");
        assertThat(withoutTimestamp(second.body()))
                .isEqualTo(withoutTimestamp(first.body()))
                .contains("\"status\":" + status, "\"message\":\"" + message + "\"");
        assertThat(ReplayedAnswers.executions).hasValue(executed);
    }

    private HttpResponse<String> post(String path) {
        return application.post(path, "{}", "Idempotency-Key", key + path);
    }

    private HttpResponse<byte[]> postForBytes(String path) {
        return application.send(
                application.json(path, "{}", "Idempotency-Key", key + path), BodyHandlers.ofByteArray());
    }

    private static String withoutTimestamp(String body) {
        return body.replaceFirst("\"timestamp\":\"[^\"]*\"", "");
    }
}
