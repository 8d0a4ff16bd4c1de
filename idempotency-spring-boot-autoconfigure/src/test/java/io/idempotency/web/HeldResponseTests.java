package io.idempotency.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idempotency.annotation.Idempotent;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.ResponseBody;

class HeldResponseTests {

    private static final int LIMIT = 4096;

    @RegisterExtension
    static final WebApplication application = WebApplication.of(Documents.class)
            .with("idempotency.web.max-response-size=4KB", "spring.servlet.encoding.force-response=false");

    private static final AtomicInteger executions = new AtomicInteger();

    private final String key = UUID.randomUUID().toString();

    @Test
    void aResponseOverTheLimitIsDeliveredWholeAndNeverExecutedAgain() {
        HttpResponse<String> first = post("/large");
        HttpResponse<String> second = post("/large");

        assertThat(first.statusCode()).isEqualTo(200);
        assertThat(first.body()).hasSize(3 * LIMIT + 1);
        assertThat(first.headers().firstValue("Content-Length")).contains(Integer.toString(3 * LIMIT + 1));
        assertThat(second.statusCode()).isEqualTo(409);
        assertThat(second.headers().firstValue("Retry-After")).isEmpty();
        assertThat(second.body()).contains("\"type\":\"urn:problem-type:idempotency:outcome-unavailable\"");
        assertThat(executions).hasValue(1);
    }

    @Test
    void aFailureOverTheLimitFreesTheKey() {
        assertThat(post("/large-failure").body()).hasSize(LIMIT + 1);
        assertThat(post("/large-failure").statusCode()).isEqualTo(500);
    }

    @Test
    void aResponseAtTheLimitIsReplayed() {
        assertThat(post("/exact").body()).hasSize(LIMIT);
        assertThat(isReplay(post("/exact"))).isTrue();
        assertThat(post("/exact").body()).hasSize(LIMIT);
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

    private static boolean isReplay(HttpResponse<?> response) {
        return response.headers().firstValue("Idempotent-Replayed").isPresent();
    }

    @Controller
    static class Documents {

        @PostMapping("/large")
        @Idempotent
        void large(HttpServletResponse response) throws IOException {
            executions.incrementAndGet();
            response.setContentLength(3 * LIMIT + 1);
            for (int part = 0; part < 3; part++) {
                response.getOutputStream().print("x".repeat(LIMIT));
            }
            response.getOutputStream().print("y");
        }

        @PostMapping("/large-failure")
        @Idempotent
        void largeFailure(HttpServletResponse response) throws IOException {
            response.setStatus(500);
            response.getOutputStream().print("x".repeat(LIMIT + 1));
        }

        @PostMapping("/exact")
        @Idempotent
        @ResponseBody
        String exact() {
            return "x".repeat(LIMIT);
        }

        @PostMapping("/forwarding")
        @Idempotent
        String forwarding() {
            return "forward:/target";
        }

        @PostMapping("/target")
        @ResponseBody
        String target() {
            return "forwarded";
        }

        @PostMapping("/including")
        @Idempotent
        void including(HttpServletRequest request, HttpServletResponse response) throws Exception {
            PrintWriter writer = response.getWriter();
            writer.print("before ");
            request.getRequestDispatcher("/included").include(request, response);
            writer.print(" after");
        }

        @PostMapping("/included")
        void included(HttpServletResponse response) throws IOException {
            response.getWriter().print("forwarded");
        }

        @PostMapping("/reset")
        @Idempotent
        void reset(HttpServletResponse response) throws IOException {
            response.setStatus(201);
            response.getWriter().print("first");
            response.getWriter().flush();
            response.reset();
            response.setStatus(202);
            response.getOutputStream().print("second");
        }

        @PostMapping("/latin")
        @Idempotent
        void latin(HttpServletResponse response) throws IOException {
            response.setContentType("text/plain");
            response.setCharacterEncoding("ISO-8859-1");
            response.getWriter().print("grüße");
        }

        @PostMapping("/no-encoding")
        @Idempotent
        void noEncoding(HttpServletResponse response) throws IOException {
            response.setContentType("text/plain");
            response.getWriter().print("grüße");
        }

        @PostMapping("/encoding-too-late")
        @Idempotent
        void encodingTooLate(HttpServletResponse response) throws IOException {
            response.setCharacterEncoding("ISO-8859-1");
            PrintWriter writer = response.getWriter();
            response.setCharacterEncoding("UTF-8");
            response.setContentType("text/html;charset=UTF-8");
            writer.print("grüße");
        }

        @PostMapping("/own-async")
        @Idempotent
        void ownAsync(HttpServletRequest request, HttpServletResponse response) {
            complete(request.startAsync(), response);
        }

        @PostMapping("/own-async-through-context")
        @Idempotent
        void ownAsyncThroughContext(HttpServletRequest request, HttpServletResponse response) {
            request.startAsync();
            complete(request.getAsyncContext(), request.getAsyncContext().getResponse());
        }

        @PostMapping("/never-completed")
        @Idempotent
        void neverCompleted(HttpServletRequest request, HttpServletResponse response) {
            request.startAsync().setTimeout(200);
        }

        private static void complete(AsyncContext async, ServletResponse response) {
            async.start(() -> {
                try {
                    response.getWriter().print("written");
                } catch (IOException failure) {
                    throw new IllegalStateException(failure);
                } finally {
                    async.complete();
                }
            });
        }
    }
}
