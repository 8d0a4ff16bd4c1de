package io.idempotency.sample.worker;

import io.idempotency.sample.CheckoutApplication;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.springframework.boot.system.ApplicationHome;
import org.springframework.http.HttpStatus;
import org.springframework.web.server.ResponseStatusException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A second node of the shop in a JVM of its own. Closing it kills it, as by {@code kill -9}, and so does the end of this JVM. */
final class WorkerProcess implements AutoCloseable {

    /** How long an answer may take that needs no work. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final HttpClient http = HttpClient.newHttpClient();

    private final URI url;

    private final Path log;

    private final Process process;

    private final Thread end = new Thread(this::kill);

    WorkerProcess(WorkerSettings settings) throws IOException {
        int port = freePort();
        this.url = URI.create("http://localhost:" + port);
        this.log = Files.createTempFile("worker", ".log");
        ProcessBuilder command =
                new ProcessBuilder(command()).redirectErrorStream(true).redirectOutput(log.toFile());
        command.environment().put("SPRING_APPLICATION_JSON", settings.json(port));
        this.process = command.start();
        log.toFile().deleteOnExit();
        Runtime.getRuntime().addShutdownHook(end);
    }

    private static List<String> command() {
        File source = new ApplicationHome(CheckoutApplication.class).getSource();
        Stream<String> program = source != null && source.isFile()
                ? Stream.of("-jar", source.getPath())
                : Stream.of("-cp", System.getProperty("java.class.path"), CheckoutApplication.class.getName());
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        return Stream.concat(Stream.of(java, "-XX:TieredStopAtLevel=1"), program)
                .toList();
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    /** Says whether it takes requests. */
    boolean isReady() {
        if (!process.isAlive()) {
            throw new ResponseStatusException(HttpStatus.BAD_GATEWAY, "The worker ended by itself; see " + log);
        }
        return http.sendAsync(
                        HttpRequest.newBuilder(url.resolve("/api/timeline")).build(), BodyHandlers.discarding())
                .orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS)
                .handle((response, failure) -> failure == null && response.statusCode() == 200)
                .join();
    }

    /** Sends it a checkout. What comes back ends with the answer, if there is one. */
    CompletableFuture<?> checkout(String key, String order) {
        HttpRequest request = HttpRequest.newBuilder(url.resolve("/api/checkouts"))
                .header("Content-Type", "application/json")
                .header("Idempotency-Key", key)
                .POST(BodyPublishers.ofString(order))
                .build();
        return http.sendAsync(request, BodyHandlers.discarding());
    }

    /** Says whether a step of its checkout has begun; always where the starter is switched off, and nobody tells of steps. */
    boolean hasBegun(String step) {
        JsonNode timeline = http.sendAsync(
                        HttpRequest.newBuilder(url.resolve("/api/timeline")).build(), BodyHandlers.ofString())
                .orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS)
                .thenApply(response -> JsonMapper.shared().readTree(response.body()))
                .join();
        return !timeline.at("/enabled").asBoolean()
                || timeline.at("/entries")
                        .valueStream()
                        .anyMatch(entry -> entry.at("/kind").asString().equals("STEP_STARTED")
                                && entry.at("/step").asString().equals(step));
    }

    /** Kills it without a word, and returns when it is gone. */
    Process kill() {
        return process.destroyForcibly().onExit().join();
    }

    @Override
    public void close() {
        kill();
        try {
            Runtime.getRuntime().removeShutdownHook(end);
        } catch (IllegalStateException ending) {
            // It runs already.
        }
    }
}
