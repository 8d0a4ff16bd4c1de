package io.idempotency.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.servlet.AsyncHandlerInterceptor;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/** Clients that give up over HTTP/2, where the server is told at once, and not by a write that fails. */
@DisabledIfSystemProperty(named = "idempotency.test.server", matches = "jetty")
class ResetStreamTests {

    private static final Duration LONG = Duration.ofSeconds(30);

    @RegisterExtension
    static final WebApplication application = WebApplication.of(Reports.class, Observation.class)
            .with("server.http2.enabled=true", "spring.mvc.async.request-timeout=60s");

    private static final AtomicInteger answersLater = new AtomicInteger();

    private static final int DATA = 0;

    private static final int HEADERS = 1;

    private static final int RESET_STREAM = 3;

    private static final int SETTINGS = 4;

    private static final int END_OF_STREAM = 1;

    private static final int END_OF_HEADERS = 4;

    private static final byte CANCEL = 8;

    private final String key = UUID.randomUUID().toString();

    private Socket connection = new Socket();

    @BeforeEach
    void reset() throws IOException {
        Reports.reset();
        answersLater.set(0);
        URI uri = application.uri("/");
        connection = new Socket(uri.getHost(), uri.getPort());
    }

    @AfterEach
    void close() throws IOException {
        connection.close();
    }

    @Test
    void aHandlerThatAnswersAtItsReturnIsReplayed() throws IOException {
        giveUp("/direct");

        Reports.gate.countDown();

        await().atMost(LONG).untilAsserted(() -> {
            HttpResponse<String> retry = post("/direct");
            assertThat(retry.body()).startsWith("report");
            assertThat(retry.headers().firstValue("Idempotent-Replayed")).contains("true");
        });
        assertThat(Reports.begun).hasValue(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/future", "/callable", "/web-async-task"})
    void laterWorkIsFollowedAndDoesNotRunAgain(String path) throws IOException {
        giveUp(path);

        Reports.gate.countDown();

        // Without a request to render it for, there is no response; unless the work was faster than the news.
        await().atMost(LONG)
                .untilAsserted(() -> assertThat(post(path).body()).containsAnyOf("outcome-unavailable", "report"));
        assertThat(Reports.begun).hasValue(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/deferred", "/streaming", "/charging-callable", "/charging-task"})
    void laterWorkThatCannotBeFollowedOrIsInterruptedLeavesADoubt(String path) throws IOException {
        giveUp(path);

        await().atMost(LONG).untilAsserted(() -> assertThat(post(path).body()).contains("in-doubt"));
        assertThat(Reports.begun).hasValue(1);
        Reports.gate.countDown();
    }

    /** Sends a request, and resets its stream while it is being processed. */
    private void giveUp(String path) throws IOException {
        OutputStream output = connection.getOutputStream();
        output.write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        output.write(frame(SETTINGS, 0, 0, new byte[0]));
        output.write(frame(HEADERS, END_OF_HEADERS, 1, headers(path)));
        output.write(frame(DATA, END_OF_STREAM, 1, "{}".getBytes(StandardCharsets.US_ASCII)));
        await().atMost(LONG)
                .until(() -> Reports.begun.get() == 1 && (path.equals("/direct") || answersLater.get() == 1));
        output.write(frame(RESET_STREAM, 0, 1, new byte[] {0, 0, 0, CANCEL}));
    }

    /** RFC 9113, section 4.1. */
    private static byte[] frame(int type, int flags, int stream, byte[] payload) {
        return ByteBuffer.allocate(9 + payload.length)
                .putShort((short) 0)
                .put((byte) payload.length)
                .put((byte) type)
                .put((byte) flags)
                .putInt(stream)
                .put(payload)
                .array();
    }

    /** RFC 7541: the method and the scheme of its static table, and all others as literals. */
    private byte[] headers(String path) {
        ByteArrayOutputStream block = new ByteArrayOutputStream();
        block.write(0x83);
        block.write(0x86);
        writeLiteral(block, ":path", path);
        writeLiteral(block, ":authority", "localhost");
        writeLiteral(block, "content-type", "application/json");
        writeLiteral(block, "idempotency-key", key + path);
        return block.toByteArray();
    }

    private static void writeLiteral(ByteArrayOutputStream block, String name, String value) {
        block.write(0);
        for (String text : List.of(name, value)) {
            block.write(text.length());
            block.writeBytes(text.getBytes(StandardCharsets.US_ASCII));
        }
    }

    private HttpResponse<String> post(String path) {
        return application.post(path, "{}", "Idempotency-Key", key + path);
    }

    @Configuration(proxyBeanMethods = false)
    static class Observation implements WebMvcConfigurer {

        @Override
        public void addInterceptors(InterceptorRegistry registry) {
            registry.addInterceptor(new AsyncHandlerInterceptor() {
                @Override
                public void afterConcurrentHandlingStarted(
                        HttpServletRequest request, HttpServletResponse response, Object handler) {
                    answersLater.incrementAndGet();
                }
            });
        }
    }
}
