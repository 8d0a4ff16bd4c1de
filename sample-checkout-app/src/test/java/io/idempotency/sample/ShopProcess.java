package io.idempotency.sample;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;

/** The shop in a JVM of its own, which can be killed as by {@code kill -9}. */
final class ShopProcess implements AutoCloseable {

    private static final Duration SLOW_START = Duration.ofMinutes(5);

    private final Process process;

    private final ShopClient client;

    private ShopProcess(Process process, ShopClient client) {
        this.process = process;
        this.client = client;
    }

    /** Starts the shop; {@link #awaitStart()} tells when it answers. */
    static ShopProcess start(Path workingDirectory, List<String> properties) {
        try {
            int port = freePort();
            List<String> command = new ArrayList<>(List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-XX:TieredStopAtLevel=1",
                    "-cp",
                    System.getProperty("java.class.path"),
                    CheckoutApplication.class.getName(),
                    "--server.port=" + port));
            for (String property : properties) {
                command.add("--" + property);
            }
            Process process = new ProcessBuilder(command)
                    .directory(workingDirectory.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(Files.createTempFile(workingDirectory, "shop", ".log")
                            .toFile())
                    .start();
            return new ShopProcess(process, new ShopClient(port));
        } catch (IOException failure) {
            throw new UncheckedIOException("The shop does not start", failure);
        }
    }

    ShopClient awaitStart() {
        await().atMost(SLOW_START).ignoreException(CompletionException.class).until(() -> {
            if (!process.isAlive()) {
                throw new IllegalStateException("The shop ended with exit value " + process.exitValue());
            }
            return client.get("/api/ledger").statusCode() == 200;
        });
        return client;
    }

    /** Kills the shop without a word, and returns when it is gone. */
    void kill() {
        process.destroyForcibly().onExit().join();
    }

    @Override
    public void close() {
        kill();
    }

    static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException failure) {
            throw new UncheckedIOException("There is no free port", failure);
        }
    }
}
