package io.idempotency.faults;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The systems that workflows call over HTTP, one for each step. They honour keys: the same key has one effect, whose number
 * is the answer to every call. Systems that do not honour them would have as many effects as there are calls.
 */
final class OtherSystems implements AutoCloseable {

    private final ExecutorService threads = Executors.newCachedThreadPool();

    private final HttpServer server;

    /** By path, which has the workflow and the step. */
    private final Map<String, Calls> calls = new ConcurrentHashMap<>();

    private static final class Calls {

        private final AtomicInteger count = new AtomicInteger();

        private final AtomicInteger lookUps = new AtomicInteger();

        private final Map<String, Integer> effectsByKey = new ConcurrentHashMap<>();
    }

    private record Failure(String step, int calls, CountDownLatch answered) {}

    private volatile Failure failure = new Failure("none", 0, new CountDownLatch(0));

    OtherSystems() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", this::handle);
        server.start();
    }

    URI uri() {
        InetSocketAddress address = server.getAddress();
        return URI.create("http://%s:%d".formatted(address.getAddress().getHostAddress(), address.getPort()));
    }

    /** Lets the first calls of a step fail without an effect, but not before {@link #answer()}. */
    void failFirst(int times, String step) {
        failure = new Failure(step, times, new CountDownLatch(1));
    }

    void answer() {
        failure.answered().countDown();
    }

    /** Returns how often the system of a step was called by a workflow. */
    int calls(String workflow, String step) {
        return callsOf("/" + workflow + "/" + step).count.get();
    }

    int calls() {
        return calls.values().stream().mapToInt(ofStep -> ofStep.count.get()).sum();
    }

    int effects(String workflow, String step) {
        return callsOf("/" + workflow + "/" + step).effectsByKey.size();
    }

    int lookUps(String workflow, String step) {
        return callsOf("/" + workflow + "/" + step).lookUps.get();
    }

    private Calls callsOf(String path) {
        return calls.computeIfAbsent(path, absent -> new Calls());
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            exchange.getRequestBody().readAllBytes();
            String key = exchange.getRequestHeaders().getFirst("Idempotency-Key");
            Calls ofStep = callsOf(exchange.getRequestURI().getPath());
            if (exchange.getRequestMethod().equals("GET")) {
                ofStep.lookUps.incrementAndGet();
                Integer effect = ofStep.effectsByKey.get(key);
                answer(exchange, effect == null ? 404 : 200, String.valueOf(effect));
            } else if (isFailing(exchange.getRequestURI(), ofStep.count.incrementAndGet())) {
                answer(exchange, 503, "failed");
            } else {
                int effect = ofStep.effectsByKey.computeIfAbsent(key, absent -> ofStep.count.get());
                answer(exchange, 200, Integer.toString(effect));
            }
        }
    }

    private boolean isFailing(URI uri, int call) {
        if (!uri.getPath().endsWith("/" + failure.step()) || call > failure.calls()) {
            return false;
        }
        try {
            return failure.answered().await(2, TimeUnit.MINUTES);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private static void answer(HttpExchange exchange, int status, String text) throws IOException {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body);
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
