package io.idempotency.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idempotency.annotation.Idempotent;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** Clients that go away by resetting their connection. */
class DisconnectTests {

    private static final int LARGE = 900_000;

    @RegisterExtension
    static final WebApplication application = WebApplication.of(Invoices.class);

    private static final AtomicInteger executions = new AtomicInteger();

    private static volatile CountDownLatch entered = new CountDownLatch(1);

    private static volatile CountDownLatch gate = new CountDownLatch(1);

    private final String key = UUID.randomUUID().toString();

    @BeforeEach
    void reset() {
        entered = new CountDownLatch(1);
        gate = new CountDownLatch(1);
        executions.set(0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/direct", "/later", "/large"})
    void whoGoesAwayDuringTheWorkFindsItsResponse(String path) throws Exception {
        try (Socket client = connect()) {
            send(client, path, "{}", 2);
            awaitOpened(entered);
            client.setSoLinger(true, 0);
        }
        gate.countDown();

        await().atMost(20, TimeUnit.SECONDS).untilAsserted(() -> {
            HttpResponse<String> retry = application.post(path, "{}", "Idempotency-Key", key);
            assertThat(retry.statusCode()).isEqualTo(200);
            assertThat(retry.body()).startsWith("invoice 1");
            assertThat(retry.headers().firstValue("Idempotent-Replayed")).contains("true");
        });
        assertThat(executions).hasValue(1);
    }

    @Test
    void whoGoesAwayWithoutReadingALargeResponseGetsItLater() throws Exception {
        gate.countDown();
        CountDownLatch recorded = new CountDownLatch(1);
        application.store().beforeComplete(recorded::countDown);
        try (Socket client = connect()) {
            send(client, "/large", "{}", 2);
            awaitOpened(recorded);
            client.setSoLinger(true, 0);
        } finally {
            application.store().beforeComplete(() -> {});
        }

        await().atMost(20, TimeUnit.SECONDS).untilAsserted(() -> {
            HttpResponse<String> retry = application.post("/large", "{}", "Idempotency-Key", key);
            assertThat(retry.statusCode()).isEqualTo(200);
            assertThat(retry.body()).hasSizeGreaterThan(LARGE);
        });
        assertThat(executions).hasValue(1);
    }

    @Test
    void whoGoesAwayBeforeTheBodyIsCompleteTouchesNoKey() throws Exception {
        gate.countDown();
        int claims = application.store().claims();
        try (Socket client = connect()) {
            send(client, "/direct", "{}", 2000);
            client.setSoLinger(true, 0);
        }

        HttpResponse<String> retry = application.post("/direct", "{}", "Idempotency-Key", key);

        assertThat(retry.body()).isEqualTo("invoice 1");
        assertThat(retry.headers().firstValue("Idempotent-Replayed")).isEmpty();
        assertThat(application.store().claims()).isEqualTo(claims + 1);
    }

    private static Socket connect() throws IOException {
        URI uri = application.uri("/");
        return new Socket(uri.getHost(), uri.getPort());
    }

    private void send(Socket client, String path, String body, int announcedLength) throws IOException {
        String request = String.format(
                Locale.ROOT,
                "POST %s HTTP/1.1\r\nHost: localhost\r\nIdempotency-Key: %s\r\nContent-Type: application/json\r\n"
                        + "Content-Length: %d\r\n\r\n%s",
                path,
                key,
                announcedLength,
                body);
        client.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
    }

    private static void awaitOpened(CountDownLatch latch) throws InterruptedException {
        assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
    }

    @RestController
    static class Invoices {

        @PostMapping("/direct")
        @Idempotent
        String direct(@RequestBody String body) throws InterruptedException {
            return invoice();
        }

        @PostMapping("/later")
        @Idempotent
        Callable<String> later(@RequestBody String body) {
            return Invoices::invoice;
        }

        @PostMapping("/large")
        @Idempotent
        String large(@RequestBody String body) throws InterruptedException {
            return invoice() + "x".repeat(LARGE);
        }

        private static String invoice() throws InterruptedException {
            CountDownLatch opened = gate;
            entered.countDown();
            awaitOpened(opened);
            return "invoice " + executions.incrementAndGet();
        }
    }
}
