package io.idempotency.sample.simulator;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.web.util.UriComponentsBuilder;
import org.springframework.web.util.UriUtils;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** Answers requests for simulated systems, each below its path, on the loopback interface. */
final class SimulatorServer implements AutoCloseable {

    private static final Logger logger = LoggerFactory.getLogger(SimulatorServer.class);

    private static final int LARGEST_BODY = 64 * 1024;

    private final JsonMapper json = JsonMapper.shared();

    private final ExecutorService threads = Executors.newCachedThreadPool(DaemonThreads.named("simulator"));

    private final HttpServer server;

    /**
     * Takes a port; 0 chooses a free one.
     *
     * @throws SimulatorPortInUseException if something else has it
     */
    SimulatorServer(int port) throws IOException {
        this.server = create(port);
        server.setExecutor(threads);
    }

    private static HttpServer create(int port) throws IOException {
        try {
            return HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        } catch (BindException inUse) {
            throw new SimulatorPortInUseException(port, inUse);
        }
    }

    void start(Map<String, Simulator> simulators) {
        simulators.forEach((path, simulator) -> server.createContext(path, exchange -> answer(exchange, simulator)));
        server.start();
    }

    URI url() {
        return URI.create("http://localhost:" + server.getAddress().getPort());
    }

    private void answer(HttpExchange exchange, Simulator simulator) throws IOException {
        try (exchange) {
            Reply reply = reply(exchange, simulator);
            if (!reply.isLost()) {
                byte[] body = json.writeValueAsBytes(reply.body());
                exchange.getResponseHeaders().set("Content-Type", reply.mediaType());
                exchange.sendResponseHeaders(reply.status(), body.length);
                exchange.getResponseBody().write(body);
            }
        }
    }

    private Reply reply(HttpExchange exchange, Simulator simulator) throws IOException {
        try {
            return simulator.answer(call(exchange));
        } catch (IllegalArgumentException | JacksonException malformed) {
            return Reply.refused(400, "The request cannot be understood");
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return Reply.LOST;
        } catch (RuntimeException failure) {
            logger.error("A simulated system failed", failure);
            return Reply.refused(500, "The simulated system failed");
        }
    }

    private Call call(HttpExchange exchange) throws IOException {
        byte[] body = exchange.getRequestBody().readNBytes(LARGEST_BODY + 1);
        if (body.length > LARGEST_BODY) {
            throw new IllegalArgumentException("The body is too large");
        }
        return new Call(
                exchange.getRequestMethod(),
                exchange.getRequestHeaders().getFirst("Idempotency-Key"),
                query(exchange.getRequestURI()),
                json.readTree(body));
    }

    private static Map<String, String> query(URI uri) {
        Map<String, String> decoded = new HashMap<>();
        UriComponentsBuilder.fromUri(uri)
                .build()
                .getQueryParams()
                .toSingleValueMap()
                .forEach((name, value) -> {
                    if (value != null) {
                        decoded.put(name, UriUtils.decode(value, StandardCharsets.UTF_8));
                    }
                });
        return decoded;
    }

    @Override
    public void close() {
        threads.shutdownNow();
        server.stop(0);
    }
}
