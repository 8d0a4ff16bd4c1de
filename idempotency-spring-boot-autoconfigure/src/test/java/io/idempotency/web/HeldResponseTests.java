package io.idempotency.web;

import static io.idempotency.web.WebApplication.isReplay;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Responses that are held until their handler has ended, whatever it does with them. */
class HeldResponseTests {

    @RegisterExtension
    static final WebApplication application = WebApplication.of(HeldDocuments.class)
            .with("idempotency.web.max-response-size=4KB", "spring.servlet.encoding.force-response=false");

    private final String key = UUID.randomUUID().toString();

    @Test
    void aResponseOverTheLimitIsDeliveredWholeAndNeverExecutedAgain() {
        HttpResponse<String> first = post("/large");
        HttpResponse<String> second = post("/large");

        assertThat(first.statusCode()).isEqualTo(200);
        assertThat(first.body()).hasSize(3 * HeldDocuments.LIMIT + 1);
        assertThat(first.headers().firstValue("Content-Length"))
                .contains(Integer.toString(3 * HeldDocuments.LIMIT + 1));
        assertThat(second.statusCode()).isEqualTo(409);
        assertThat(second.headers().firstValue("Retry-After")).isEmpty();
        assertThat(second.body()).contains("\"type\":\"urn:problem-type:idempotency:outcome-unavailable\"");
        assertThat(HeldDocuments.executions).hasValue(1);
    }

    @Test
    void aFailureOverTheLimitFreesTheKey() {
        assertThat(post("/large-failure").body()).hasSize(HeldDocuments.LIMIT + 1);
        assertThat(post("/large-failure").statusCode()).isEqualTo(500);
    }

    @Test
    void aResponseAtTheLimitIsReplayed() {
        assertThat(post("/exact").body()).hasSize(HeldDocuments.LIMIT);
        assertThat(isReplay(post("/exact"))).isTrue();
        assertThat(post("/exact").body()).hasSize(HeldDocuments.LIMIT);
    }

    @Test
    void aForwardIsRecordedToo() {
        HttpResponse<String> first = post("/forwarding");
        HttpResponse<String> second = post("/forwarding");

        assertThat(first.body()).isEqualTo("forwarded");
        assertThat(isReplay(second)).isTrue();
        assertThat(second.body()).isEqualTo("forwarded");
    }

    @Test
    void anIncludeIsRecordedToo() {
        assertThat(post("/including").body()).isEqualTo("before forwarded after");
        assertThat(post("/including").body()).isEqualTo("before forwarded after");
    }

    @Test
    void whatWasWrittenBeforeAResetIsNotSent() {
        assertThat(post("/reset").body()).isEqualTo("second");
        assertThat(post("/reset").statusCode()).isEqualTo(202);
        assertThat(post("/reset").body()).isEqualTo("second");
    }

    @Test
    void theWriterUsesTheEncodingThatTheContentTypeNames() {
        for (int call = 0; call < 2; call++) {
            HttpResponse<String> response = post("/latin");

            assertThat(response.headers().firstValue("Content-Type").orElseThrow())
                    .isEqualToIgnoringCase("text/plain;charset=ISO-8859-1");
            assertThat(response.body()).isEqualTo("grüße");
        }
    }

    @Test
    void withoutAnEncodingTheWriterTellsTheOneOfTheContainer() {
        HttpResponse<String> first = post("/no-encoding");
        HttpResponse<String> second = post("/no-encoding");

        assertThat(first.headers().firstValue("Content-Type").orElseThrow()).containsIgnoringCase("charset=");
        assertThat(first.body()).isEqualTo("grüße");
        assertThat(second.headers().allValues("Content-Type"))
                .isEqualTo(first.headers().allValues("Content-Type"));
        assertThat(second.body()).isEqualTo("grüße");
    }

    @Test
    void aWriterKeepsItsEncoding() {
        for (int call = 0; call < 2; call++) {
            HttpResponse<String> response = post("/encoding-too-late");

            assertThat(response.headers().firstValue("Content-Type").orElseThrow())
                    .isEqualToIgnoringCase("text/html;charset=ISO-8859-1");
            assertThat(response.body()).isEqualTo("grüße");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/own-async", "/own-async-through-context"})
    void whatAHandlerWritesAsynchronouslyByItselfIsRecorded(String path) {
        assertThat(post(path).body()).isEqualTo("written");
        assertThat(isReplay(post(path))).isTrue();
        assertThat(post(path).body()).isEqualTo("written");
    }

    @Test
    void whatAHandlerNeverCompletesIsInDoubt() {
        assertThat(post("/never-completed").statusCode()).isEqualTo(500);

        // The client has its response before the server tells that it has ended.
        await().atMost(Duration.ofMinutes(1))
                .until(() -> post("/never-completed").body().contains("in-doubt"));
    }

    private HttpResponse<String> post(String path) {
        return application.post(path, "{}", "Idempotency-Key", key + path);
    }
}
