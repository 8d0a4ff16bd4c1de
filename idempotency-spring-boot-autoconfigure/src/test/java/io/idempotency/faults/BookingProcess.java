package io.idempotency.faults;

import static org.awaitility.Awaitility.await;

import io.idempotency.core.IdempotencyException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A {@link BookingShop} in a JVM of its own, which books one key and stays at one point until it is let go, or killed. */
final class BookingProcess implements AutoCloseable {

    private static final Duration SLOW = Duration.ofMinutes(2);

    private final Path directory;

    private final Process process;

    private BookingProcess(Path directory, Process process) {
        this.directory = directory;
        this.process = process;
    }

    /** Starts a JVM and returns when it has come to the point. */
    static BookingProcess startAndAwait(Point point, BookingShop.Places places, String key, Path directory)
            throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                BookingProcess.class.getName(),
                directory.toString(),
                point.name(),
                key,
                Boolean.toString(places.transactional())));
        command.addAll(places.records().toArguments());
        command.addAll(places.rows().toArguments());
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("output.log").toFile())
                .start();
        BookingProcess started = new BookingProcess(directory, process);
        await().atMost(SLOW).until(() -> Files.exists(directory.resolve("reached")) || !process.isAlive());
        if (!process.isAlive()) {
            throw new IllegalStateException(
                    "The JVM ended before its time: " + Files.readString(directory.resolve("output.log")));
        }
        return started;
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
        Files.createFile(directory.resolve("go"));
        process.waitFor();
        return Files.readAllLines(directory.resolve("events"));
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    /** The other JVM. */
    public static void main(String[] arguments) throws IOException {
        Path directory = Path.of(arguments[0]);
        Point point = Point.valueOf(arguments[1]);
        List<String> places = List.of(arguments).subList(4, arguments.length);
        int half = places.size() / 2;
        BookingShop.Places parsed = new BookingShop.Places(
                StoreAddress.ofArguments(places.subList(0, half)),
                StoreAddress.ofArguments(places.subList(half, places.size())),
                Boolean.parseBoolean(arguments[3]));
        List<String> lines = new ArrayList<>();
        try (BookingShop shop = new BookingShop(parsed, reached -> stayAt(point, reached, directory))) {
            try {
                lines.add("attempt " + shop.book(arguments[2], Duration.ZERO).attempt());
            } catch (IdempotencyException refusal) {
                lines.add("refused");
            }
            lines.addAll(shop.events());
        }
        Files.write(directory.resolve("events"), lines);
    }

    private static void stayAt(Point point, Point reached, Path directory) {
        if (reached != point) {
            return;
        }
        try {
            Files.createFile(directory.resolve("reached"));
        } catch (IOException failure) {
            throw new UncheckedIOException("The parent cannot be told", failure);
        }
        await().atMost(SLOW).until(() -> Files.exists(directory.resolve("go")));
    }
}
