package io.idempotency.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idempotency.core.IdempotentResult;
import io.idempotency.core.OperationInProgressException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * JVMs that are killed at every point of the protocol, and stopped for longer than their lease. Afterwards the same call is
 * made until it has an outcome, and what was executed and booked is compared with what is promised.
 */
@Tag("faults")
class KilledProcessTests {

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    /** Where the JVM holds a claim that it renews, or a lock. */
    private static final Set<Point> EXECUTING = EnumSet.range(Point.AFTER_LOCK, Point.BEFORE_COMMIT_OF_RECORD);

    private final String key = UUID.randomUUID().toString();

    @TempDir
    private Path directory;

    /** The effect is repeated where the JVM dies between its commit and the record of it, and nowhere else. */
    @ParameterizedTest
    @CsvSource({"AFTER_COMMIT, 2, 2", "AFTER_RECORDING, 1, 1"})
    void whatAKilledJvmLeavesIsExecutedAgainUnlessItWasRecorded(Point point, int executions, int bookings)
            throws Exception {
        killAndRepeat(StoreAddress.Kind.POSTGRES, false, point, executions, bookings);
    }

    @ParameterizedTest
    @CsvSource({"BEFORE_CLAIM, 1, 1", "AFTER_CLAIM, 1, 1", "BEFORE_COMMIT, 2, 1", "BEFORE_RECORDING, 2, 2"})
    @Tag("faults-long")
    void theSameHoldsAtEveryOtherPoint(Point point, int executions, int bookings) throws Exception {
        killAndRepeat(StoreAddress.Kind.POSTGRES, false, point, executions, bookings);
    }

    @ParameterizedTest
    @CsvSource({
        "BEFORE_CLAIM, 1, 1",
        "AFTER_CLAIM, 1, 1",
        "BEFORE_COMMIT, 2, 1",
        "AFTER_COMMIT, 2, 2",
        "BEFORE_RECORDING, 2, 2",
        "AFTER_RECORDING, 1, 1"
    })
    @Tag("faults-long")
    void theSameHoldsForRecordsInRedis(Point point, int executions, int bookings) throws Exception {
        killAndRepeat(StoreAddress.Kind.REDIS, false, point, executions, bookings);
    }

    @ParameterizedTest
    @CsvSource({"BEFORE_COMMIT, 2, 1", "AFTER_COMMIT, 2, 2", "AFTER_RECORDING, 1, 1"})
    @Tag("faults-long")
    void theSameHoldsForMariaDb(Point point, int executions, int bookings) throws Exception {
        killAndRepeat(StoreAddress.Kind.MARIADB, false, point, executions, bookings);
    }

    /** However often it is executed, it is booked once. */
    @ParameterizedTest
    @CsvSource({"BEFORE_COMMIT_OF_RECORD, 2", "AFTER_RECORDING, 1"})
    void whatAKilledJvmDidInATransactionalOperationIsDoneOnce(Point point, int executions) throws Exception {
        killAndRepeat(StoreAddress.Kind.POSTGRES, true, point, executions, 1);
    }

    @ParameterizedTest
    @CsvSource({
        "BEFORE_CLAIM, 1",
        "AFTER_CLAIM, 1",
        "BEFORE_LOCK, 1",
        "AFTER_LOCK, 1",
        "BEFORE_COMMIT, 2",
        "BEFORE_RECORDING, 2"
    })
    @Tag("faults-long")
    void itIsDoneOnceWhereverTheJvmIsKilled(Point point, int executions) throws Exception {
        killAndRepeat(StoreAddress.Kind.POSTGRES, true, point, executions, 1);
    }

    @ParameterizedTest
    @CsvSource({"AFTER_LOCK, 1", "BEFORE_COMMIT, 2", "BEFORE_COMMIT_OF_RECORD, 2", "AFTER_RECORDING, 1"})
    @Tag("faults-long")
    void itIsDoneOnceInMariaDb(Point point, int executions) throws Exception {
        killAndRepeat(StoreAddress.Kind.MARIADB, true, point, executions, 1);
    }

    @ParameterizedTest
    @EnumSource(names = "POSTGRES")
    void aJvmThatWakesUpAfterATakeoverIsToldSoAndRecordsNothing(StoreAddress.Kind kind) throws Exception {
        wakeUpAfterTakeover(kind);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "POSTGRES")
    @Tag("faults-long")
    void theOtherStoresTellSuchAJvmToo(StoreAddress.Kind kind) throws Exception {
        wakeUpAfterTakeover(kind);
    }

    @ParameterizedTest
    @EnumSource(names = {"BEFORE_CLAIM", "BEFORE_LOCK"})
    @Tag("faults-long")
    void aJvmThatWakesUpBeforeItsTransactionIsLockedRunsNothing(Point point) throws Exception {
        BookingShop.Places places = BookingShop.Places.of(StoreAddress.Kind.POSTGRES, true);
        try (BookingShop shop = new BookingShop(places, reached -> {});
                ForkedJvm process = BookingProcess.startAndAwait(point, places, key, directory)) {
            process.send(Signal.STOP);
            IdempotentResult<String> result = shop.book(key, PATIENCE);
            process.send(Signal.CONT);
            List<String> seenByTheStale = process.letGo();

            assertThat(result.replayed()).isFalse();
            assertThat(seenByTheStale).containsAnyOf("refused", "attempt 1");
            assertThat(shop.executions(key)).isOne();
            assertThat(shop.bookings(key)).isOne();
        }
    }

    /** Its lock is its lease, so nobody takes over from a JVM that is only slow. */
    @ParameterizedTest
    @EnumSource(names = {"AFTER_LOCK", "BEFORE_COMMIT", "BEFORE_COMMIT_OF_RECORD"})
    @Tag("faults-long")
    void aJvmThatWakesUpInItsTransactionCommitsIt(Point point) throws Exception {
        BookingShop.Places places = BookingShop.Places.of(StoreAddress.Kind.POSTGRES, true);
        try (BookingShop shop = new BookingShop(places, reached -> {});
                ForkedJvm process = BookingProcess.startAndAwait(point, places, key, directory)) {
            process.send(Signal.STOP);
            assertThatThrownBy(() -> shop.book(key, Duration.ofSeconds(5)))
                    .isInstanceOf(OperationInProgressException.class);
            process.send(Signal.CONT);
            List<String> seen = process.letGo();

            assertThat(seen).contains("attempt 1", "recorded");
            assertThat(shop.book(key, PATIENCE).replayed()).isTrue();
            assertThat(shop.executions(key)).isOne();
            assertThat(shop.bookings(key)).isOne();
        }
    }

    private void killAndRepeat(StoreAddress.Kind kind, boolean transactional, Point point, int executions, int bookings)
            throws Exception {
        BookingShop.Places places = BookingShop.Places.of(kind, transactional);
        try (BookingShop shop = new BookingShop(places, reached -> {});
                ForkedJvm process = BookingProcess.startAndAwait(point, places, key, directory)) {
            if (EXECUTING.contains(point)) {
                assertThatThrownBy(() -> shop.book(key, Duration.ZERO))
                        .isInstanceOf(OperationInProgressException.class);
            }
            process.kill();

            IdempotentResult<String> result = shop.book(key, PATIENCE);

            assertThat(result.replayed()).isEqualTo(point == Point.AFTER_RECORDING);
            boolean takenOver = point != Point.BEFORE_CLAIM && point != Point.AFTER_RECORDING;
            assertThat(result.attempt()).isEqualTo(takenOver ? 2 : 1);
            assertThat(shop.book(key, Duration.ZERO).value()).isEqualTo(result.value());
            assertThat(shop.executions(key)).isEqualTo(executions);
            assertThat(shop.bookings(key)).isEqualTo(bookings);
        }
    }

    private void wakeUpAfterTakeover(StoreAddress.Kind kind) throws Exception {
        BookingShop.Places places = BookingShop.Places.of(kind, false);
        try (BookingShop shop = new BookingShop(places, reached -> {});
                ForkedJvm process = BookingProcess.startAndAwait(Point.AFTER_COMMIT, places, key, directory)) {
            process.send(Signal.STOP);
            IdempotentResult<String> result = shop.book(key, PATIENCE);
            process.send(Signal.CONT);
            List<String> seenByTheStale = process.letGo();

            assertThat(result.attempt()).isEqualTo(2);
            assertThat(seenByTheStale)
                    .contains("attempt 1", "work sees loss", "lost")
                    .doesNotContain("recorded");
            assertThat(shop.book(key, Duration.ZERO).value()).isEqualTo(result.value());
            assertThat(shop.executions(key)).isEqualTo(2);
        }
    }
}
