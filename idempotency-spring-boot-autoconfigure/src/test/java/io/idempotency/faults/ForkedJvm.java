package io.idempotency.faults;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** A JVM beside that of the tests. The two talk by files in a directory that is the first argument of its main method. */
final class ForkedJvm implements AutoCloseable {

    private static final Duration SLOW = Duration.ofMinutes(2);

    private static final String REACHED = "reached";

    private static final String GO = "go";

    private static final String EVENTS = "events";

    private static final String OUTPUT = "output.log";

    private final Path directory;

    private final Process process;

    private ForkedJvm(Path directory, Process process) {
        this.directory = directory;
        this.process = process;
    }

    static ForkedJvm start(Class<?> main, Path directory, List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                main.getName(),
                directory.toString()));
        command.addAll(arguments);
        return new ForkedJvm(
                directory,
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(directory.resolve(OUTPUT).toFile())
                        .start());
    }

    /** Returns when the other JVM {@linkplain #stay stays} where it is. */
    void awaitPoint() throws IOException {
        await().atMost(SLOW).until(() -> Files.exists(directory.resolve(REACHED)) || !process.isAlive());
        if (!process.isAlive()) {
            throw new IllegalStateException(
                    "The JVM ended before its time: " + Files.readString(directory.resolve(OUTPUT)));
        }
    }

    void send(Signal signal) {
        signal.sendTo(List.of(process.pid()));
    }

    /** Ends it as {@code kill -9} does, and returns when it is gone. */
    void kill() throws InterruptedException {
        send(Signal.KILL);
        process.waitFor();
    }

    /** Lets it go on, and returns the lines that it leaves when it has come to its end. */
    List<String> letGo() throws IOException, InterruptedException {
        Files.createFile(directory.resolve(GO));
        process.waitFor();
        Path events = directory.resolve(EVENTS);
        if (!Files.exists(events)) {
            throw new IllegalStateException("The JVM failed: " + Files.readString(directory.resolve(OUTPUT)));
        }
        return Files.readAllLines(events);
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    /** In the other JVM: says that it has come to its point, and stays there until it is let go, or killed. */
    static void stay(Path directory) {
        try {
            Files.createFile(directory.resolve(REACHED));
        } catch (IOException failure) {
            throw new UncheckedIOException("The parent cannot be told", failure);
        }
        await().atMost(SLOW).until(() -> Files.exists(directory.resolve(GO)));
    }

    /** In the other JVM: leaves what the parent is to read. */
    static void leave(Path directory, Stream<String> lines) throws IOException {
        Files.write(directory.resolve(EVENTS), lines.toList());
    }
}
