package io.idempotency.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.annotation.Idempotent;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** What goes over one connection: several exchanges, and responses that come before the answer. */
class ConnectionTests {

    @RegisterExtension
    static final WebApplication application = WebApplication.of(Orders.class);

    private static final AtomicInteger executions = new AtomicInteger();

    private final String key = UUID.randomUUID().toString();

    private final int before = executions.get();

    @Test
    void aConnectionIsKeptForTheReplay() throws IOException {
        String answers = send(post("/orders", "keep-alive"), post("/orders", "keep-alive"), post("/orders", "close"));

        assertThat(answers.split("HTTP/1.1 200", -1)).hasSize(4).satisfies(parts -> {
            assertThat(parts[1]).doesNotContain("Idempotent-Replayed").endsWith("order " + (before + 1));
            assertThat(parts[2]).contains("Idempotent-Replayed: true").endsWith("order " + (before + 1));
            assertThat(parts[3]).contains("Idempotent-Replayed: true").endsWith("order " + (before + 1));
        });
    }

    @Test
    @EnabledIfSystemProperty(
            named = "idempotency.test.server",
            matches = "jetty",
            disabledReason = "Tomcat 11 has no way to send them through a wrapper")
    void earlyHintsAreSentAtOnceAndAreNotReplayed() throws IOException {
        String first = send(post("/hinting", "close"));
        String second = send(post("/hinting", "close"));

        assertThat(first).startsWith("HTTP/1.1 103").contains("HTTP/1.1 200").endsWith("hinted " + (before + 1));
        assertThat(first.split("HTTP/1.1 200", -1)[0]).contains("rel=preload");
        assertThat(second)
                .startsWith("HTTP/1.1 200")
                .contains("Idempotent-Replayed: true")
                .endsWith("hinted " + (before + 1));
    }

    private String post(String path, String connection) {
        return """
                POST %s HTTP/1.1
                Host: localhost
                Connection: %s
                Content-Type: application/json
                Content-Length: 2
                Idempotency-Key: %s

                """.formatted(path, connection, key).replace("\n", "\r\n") + "{}";
    }

    private static String send(String... requests) throws IOException {
        try (Socket client = new Socket("localhost", application.uri("/").getPort())) {
            client.setSoTimeout(30_000);
            client.getOutputStream().write(String.join("", requests).getBytes(StandardCharsets.US_ASCII));
            return new String(client.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).stripTrailing();
        }
    }

    @RestController
    static class Orders {

        @PostMapping("/orders")
        @Idempotent
        String create(@RequestBody String body) {
            return "order " + executions.incrementAndGet();
        }

        @PostMapping("/hinting")
        @Idempotent
        void hint(@RequestBody String body, HttpServletResponse response) throws IOException {
            response.addHeader("Link", "</style.css>; rel=preload");
            response.getWriter().print("hinted ");
            // The way of Jetty.
            response.sendError(103);
            response.getWriter().print(executions.incrementAndGet());
        }
    }
}
