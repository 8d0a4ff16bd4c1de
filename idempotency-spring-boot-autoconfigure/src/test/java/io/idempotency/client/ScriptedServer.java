package io.idempotency.client;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** A server that answers as it is told, then by 204, and keeps what it was asked. */
final class ScriptedServer implements BeforeEachCallback, AfterEachCallback {

    private final List<Received> received = new CopyOnWriteArrayList<>();

    private final Queue<Answer> answers = new ConcurrentLinkedQueue<>();

    private @Nullable HttpServer server;

    @Override
    public void beforeEach(ExtensionContext test) throws IOException {
        received.clear();
        answers.clear();
        HttpServer started = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        started.createContext("/", this::answer);
        started.start();
        server = started;
    }

    @Override
    public void afterEach(ExtensionContext test) {
        if (server != null) {
            server.stop(0);
        }
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            received.add(new Received(
                    List.copyOf(exchange.getRequestHeaders().getOrDefault("Idempotency-Key", List.of())),
                    new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8)));
            Answer answer = answers.poll();
            if (answer != null && answer.retryAfter() != null) {
                exchange.getResponseHeaders().set("Retry-After", answer.retryAfter());
            }
            exchange.sendResponseHeaders(answer == null ? 204 : answer.status(), -1);
        }
    }

    ScriptedServer answers(int status) {
        answers.add(new Answer(status, null));
        return this;
    }

    ScriptedServer answers(int status, String retryAfter) {
        answers.add(new Answer(status, retryAfter));
        return this;
    }

    String uri() {
        if (server == null) {
            throw new IllegalStateException("The server is not started");
        }
        return "http://localhost:" + server.getAddress().getPort() + "/charges";
    }

    /** Returns the values of the header in each request, in the order of arrival. */
    List<List<String>> keys() {
        return received.stream().map(Received::keys).toList();
    }

    List<String> bodies() {
        return received.stream().map(Received::body).toList();
    }

    private record Received(List<String> keys, String body) {}

    private record Answer(int status, @Nullable String retryAfter) {}
}
