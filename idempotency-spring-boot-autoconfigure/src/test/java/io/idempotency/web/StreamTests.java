package io.idempotency.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.annotation.Idempotent;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/** Streams that the signature of a handler hides, so that they are seen when it returns. */
class StreamTests {

    @RegisterExtension
    static final WebApplication application = WebApplication.of(Progress.class);

    private static final AtomicInteger executions = new AtomicInteger();

    private static volatile CountDownLatch firstSeen = new CountDownLatch(1);

    private final String key = UUID.randomUUID().toString();

    @BeforeEach
    void reset() {
        firstSeen = new CountDownLatch(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/object", "/entity"})
    void aStreamIsDeliveredAsItComesAndNothingRunsAgain(String path) throws IOException {
        int before = executions.get();

        HttpResponse<InputStream> first =
                application.send(application.json(path, "{}", "Idempotency-Key", key), BodyHandlers.ofInputStream());
        try (BufferedReader events = new BufferedReader(new InputStreamReader(first.body(), StandardCharsets.UTF_8))) {
            assertThat(events.readLine()).isEqualTo("data:begun");
            firstSeen.countDown();
            assertThat(events.lines()).contains("data:done");
        }
        HttpResponse<String> second = application.post(path, "{}", "Idempotency-Key", key);

        assertThat(first.headers().firstValue("Content-Type")).contains("text/event-stream");
        assertThat(second.statusCode()).isEqualTo(409);
        assertThat(second.body()).contains("outcome-unavailable");
        assertThat(executions).hasValue(before + 1);
    }

    @RestController
    static class Progress {

        @PostMapping("/object")
        @Idempotent
        Object object() {
            return events();
        }

        @PostMapping("/entity")
        @Idempotent
        ResponseEntity<?> entity() {
            return ResponseEntity.ok(events());
        }

        private static SseEmitter events() {
            executions.incrementAndGet();
            CountDownLatch seen = firstSeen;
            SseEmitter emitter = new SseEmitter();
            CompletableFuture.runAsync(() -> {
                try {
                    emitter.send("begun");
                    assertThat(seen.await(20, TimeUnit.SECONDS)).isTrue();
                    emitter.send("done");
                    emitter.complete();
                } catch (IOException | InterruptedException failure) {
                    emitter.completeWithError(failure);
                }
            });
            return emitter;
        }
    }
}
