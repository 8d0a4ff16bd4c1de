package io.idempotency.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.idempotency.annotation.Idempotent;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

class ConcurrencyTests {

    private static final int PARALLEL = 50;

    private static final int LARGE = 100_000;

    private static final AtomicInteger executions = new AtomicInteger();

    private static final CountDownLatch entered = new CountDownLatch(1);

    private static final CountDownLatch gate = new CountDownLatch(1);

    private static final CountDownLatch awaitedEntered = new CountDownLatch(1);

    private static final CountDownLatch awaitedGate = new CountDownLatch(1);

    @RegisterExtension
    static final WebApplication application = WebApplication.of(Invoices.class);

    private final String key = UUID.randomUUID().toString();

    private final ExecutorService threads = Executors.newFixedThreadPool(PARALLEL);

    @AfterEach
    void letGo() {
        application.store().beforeComplete(() -> {});
        threads.shutdownNow();
    }

    @Test
    void ofManyRequestsAtOnceOneExecutesAndNoneFails() {
        CountDownLatch start = new CountDownLatch(1);
        List<CompletableFuture<HttpResponse<String>>> answers = Stream.generate(() -> inBackground(() -> {
                    await(start);
                    return post("/quick", "{}");
                }))
                .limit(PARALLEL)
                .toList();
        int before = executions.get();

        start.countDown();

        assertThat(answers)
                .extracting(CompletableFuture::join)
                .extracting(HttpResponse::statusCode)
                .isSubsetOf(200, 409)
                .contains(200);
        assertThat(executions).hasValue(before + 1);
        assertThat(post("/quick", "{}").body()).isEqualTo("invoice " + (before + 1));
    }

    @Test
    void aDuplicateOfARunningRequestIsToldWhenToComeBack() {
        CompletableFuture<HttpResponse<String>> first = inBackground(() -> post("/slow", "{}"));
        await(entered);

        HttpResponse<String> duplicate = post("/slow", "{}");
        HttpResponse<String> misuse = post("/slow", "{\"other\":1}");
        gate.countDown();

        assertThat(duplicate.statusCode()).isEqualTo(409);
        assertThat(duplicate.headers().firstValue("Content-Type")).contains("application/problem+json");
        assertThat(duplicate.body()).contains("\"type\":\"urn:problem-type:idempotency:in-progress\"");
        assertThat(duplicate.headers().firstValueAsLong("Retry-After").orElseThrow())
                .isBetween(25L, 30L);
        assertThat(misuse.statusCode()).isEqualTo(422);
        assertThat(first.join().statusCode()).isEqualTo(200);
        assertThat(post("/slow", "{}").body()).isEqualTo(first.join().body());
    }

    @Test
    void aDuplicateMayWaitForTheResponse() {
        int before = executions.get();
        CompletableFuture<HttpResponse<String>> first = inBackground(() -> post("/awaited", "{}"));
        await(awaitedEntered);
        int claims = application.store().claims();

        CompletableFuture<HttpResponse<String>> second = inBackground(() -> post("/awaited", "{}"));
        Awaitility.await()
                .atMost(Duration.ofSeconds(20))
                .until(() -> application.store().claims() > claims);
        awaitedGate.countDown();

        assertThat(second.join().body()).isEqualTo(first.join().body()).isEqualTo("invoice " + (before + 1));
        assertThat(second.join().headers().firstValue("Idempotent-Replayed")).contains("true");
    }

    @Test
    void noByteIsSentBeforeTheOutcomeIsRecorded() throws IOException {
        CountDownLatch recording = new CountDownLatch(1);
        CountDownLatch mayRecord = new CountDownLatch(1);
        application.store().beforeComplete(() -> {
            recording.countDown();
            await(mayRecord);
        });

        try (Socket socket = new Socket("localhost", application.uri("/").getPort())) {
            socket.getOutputStream().write("""
                    POST /flushed HTTP/1.1\r
                    Host: localhost\r
                    Idempotency-Key: %s\r
                    Content-Length: 0\r
                    Connection: close\r
                    \r
                    """.formatted(key).getBytes(StandardCharsets.US_ASCII));
            await(recording);
            socket.setSoTimeout(300);

            assertThatExceptionOfType(SocketTimeoutException.class)
                    .isThrownBy(() -> socket.getInputStream().read());

            mayRecord.countDown();
            socket.setSoTimeout(20_000);
            assertThat(socket.getInputStream().readAllBytes()).hasSizeGreaterThan(LARGE);
        }
    }

    private HttpResponse<String> post(String path, String body) {
        return application.post(path, body, "Idempotency-Key", key);
    }

    private <T> CompletableFuture<T> inBackground(Supplier<T> task) {
        return CompletableFuture.supplyAsync(task, threads);
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }

    @RestController
    static class Invoices {

        @PostMapping("/quick")
        @Idempotent
        String quick() {
            return "invoice " + executions.incrementAndGet();
        }

        @PostMapping("/slow")
        @Idempotent
        String slow() {
            entered.countDown();
            await(gate);
            return "invoice " + executions.incrementAndGet();
        }

        @PostMapping("/awaited")
        @Idempotent(maxWait = "25s")
        String awaited() {
            awaitedEntered.countDown();
            await(awaitedGate);
            return "invoice " + executions.incrementAndGet();
        }

        @PostMapping("/flushed")
        @Idempotent
        void flushed(HttpServletResponse response) throws IOException {
            response.getOutputStream().write(new byte[LARGE]);
            response.flushBuffer();
        }
    }
}
