package io.idempotency.benchmarks.http;

import io.idempotency.benchmarks.shop.ShopApplication;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The application in a JVM of its own, so that no other one has a part in how its code is compiled. */
final class ShopProcess implements AutoCloseable {

    private static final Pattern STARTER = Pattern.compile("idempotency-spring-boot-.*\\.jar");

    private final Process process;

    private final int port;

    private ShopProcess(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    /** Starts the application and returns at once. */
    static ShopProcess start(boolean withStarter) throws IOException {
        int port = freePort();
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xms512m", "-Xmx512m", "-cp", classPath(withStarter)));
        command.add(ShopApplication.class.getName());
        command.addAll(List.of(
                "--server.port=" + port,
                // Connections stay open while the others are measured.
                "--server.tomcat.max-keep-alive-requests=-1",
                "--server.tomcat.connection-timeout=10m",
                "--server.tomcat.keep-alive-timeout=10m",
                "--spring.main.banner-mode=off",
                "--logging.level.root=warn",
                "--idempotency.store=memory",
                // Records come and go as in an application that has run for longer than its retention.
                "--idempotency.retention=5s",
                "--idempotency.memory.max-records=1000000",
                "--spring.autoconfigure.exclude="
                        + "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration,"
                        + "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration,"
                        + "org.springframework.boot.data.redis.autoconfigure.DataRedisRepositoriesAutoConfiguration"));
        Process process = new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.INHERIT)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroy));
        return new ShopProcess(process, port);
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static String classPath(boolean withStarter) {
        return Pattern.compile(Pattern.quote(File.pathSeparator))
                .splitAsStream(System.getProperty("java.class.path"))
                .filter(entry -> withStarter || !isOfStarter(entry))
                .collect(Collectors.joining(File.pathSeparator));
    }

    private static boolean isOfStarter(String entry) {
        return STARTER.matcher(Path.of(entry).getFileName().toString()).matches();
    }

    int port() {
        return port;
    }

    /** Returns how much time of processors the application has used. */
    Duration processorTime() {
        return process.info().totalCpuDuration().orElse(Duration.ZERO);
    }

    /** Waits until the application accepts connections. */
    void await() throws IOException, InterruptedException {
        for (long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(5); !accepts(); ) {
            if (!process.isAlive() || System.nanoTime() - end > 0) {
                throw new IOException("The application does not start");
            }
            TimeUnit.MILLISECONDS.sleep(100);
        }
    }

    private boolean accepts() {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException refused) {
            return false;
        }
    }

    @Override
    public void close() {
        process.destroy();
    }
}
