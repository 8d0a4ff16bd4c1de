package io.idempotency.faults;

import io.idempotency.core.IdempotencyException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;

/** A {@link BookingShop} in a JVM of its own, which books one key and stays at one point until it is let go, or killed. */
final class BookingProcess {

    private BookingProcess() {}

    /** Starts a JVM and returns when it has come to the point. */
    static ForkedJvm startAndAwait(Point point, BookingShop.Places places, String key, Path directory)
            throws IOException {
        List<String> arguments = new ArrayList<>(List.of(point.name(), key, Boolean.toString(places.transactional())));
        arguments.addAll(places.records().toArguments());
        arguments.addAll(places.rows().toArguments());
        ForkedJvm started = ForkedJvm.start(BookingProcess.class, directory, arguments);
        started.awaitPoint();
        return started;
    }

    /** The other JVM. */
    public static void main(String[] arguments) throws IOException, InterruptedException, ExecutionException {
        Path directory = Path.of(arguments[0]);
        Point point = Point.valueOf(arguments[1]);
        List<String> places = List.of(arguments).subList(4, arguments.length);
        int half = places.size() / 2;
        BookingShop.Places parsed = new BookingShop.Places(
                StoreAddress.ofArguments(places.subList(0, half)),
                StoreAddress.ofArguments(places.subList(half, places.size())),
                Boolean.parseBoolean(arguments[3]));
        StayingCalls staying = new StayingCalls(1);
        List<String> lines = new ArrayList<>();
        try (BookingShop shop = new BookingShop(parsed, reached -> {
            if (reached == point) {
                staying.stay();
            }
        })) {
            lines.addAll(staying.makeAll(directory, List.<Callable<String>>of(() -> book(shop, arguments[2]))));
            lines.addAll(shop.events());
        }
        ForkedJvm.leave(directory, lines.stream());
    }

    private static String book(BookingShop shop, String key) {
        try {
            return "attempt " + shop.book(key, Duration.ZERO).attempt();
        } catch (IdempotencyException refusal) {
            return "refused";
        }
    }
}
