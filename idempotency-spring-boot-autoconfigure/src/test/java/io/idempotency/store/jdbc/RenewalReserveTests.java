package io.idempotency.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.idempotency.core.Claim;
import io.idempotency.core.ClaimOutcome;
import io.idempotency.core.IdempotencyStoreException;
import io.idempotency.core.Renewal;
import io.idempotency.core.StoreProbe;
import io.idempotency.testsupport.PreparedStatements;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

class RenewalReserveTests {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private static final int FLOOD = 8;

    @Test
    void aFloodOfOtherVerbsLeavesAConnectionToARenewal() {
        try (FloodedStore flooded = new FloodedStore()) {
            List<Call<ClaimOutcome>> flood = flooded.flood();

            assertThat(flooded.renewal().answer).succeedsWithin(PATIENCE).isEqualTo(flooded.renewed());

            flooded.gate.open();
            assertThat(flood)
                    .allSatisfy(claim ->
                            assertThat(claim.answer).succeedsWithin(PATIENCE).isInstanceOf(ClaimOutcome.Granted.class));
        }
    }

    @Test
    void aFloodOfOtherVerbsDoesNotMakeTheStoreCountAsUnreachable() {
        try (FloodedStore flooded = new FloodedStore()) {
            flooded.flood();

            assertThat(new StoreProbe(flooded.store, PATIENCE).ask()).isEmpty();
        }
    }

    @Nested
    class AVerb {

        private final RenewalReserve reserve =
                RenewalReserve.in(new JdbcStoreSettings("idempotency_", 2, Duration.ofMillis(50)));

        @Test
        void whoseTurnDoesNotComeInTimeIsRefusedAndToldWhatToDo() {
            whileItIsTaken(() -> assertThatExceptionOfType(IdempotencyStoreException.class)
                    .isThrownBy(() -> reserve.leaving("claim", () -> "ran"))
                    .withMessageContainingAll("PT0.05S", "claim", "idempotency.jdbc.pool-size"));

            assertThat(reserve.leaving("claim", () -> "ran")).isEqualTo("ran");
        }

        @Test
        void thatFailsLeavesItsTurnToTheNext() {
            assertThatIllegalStateException()
                    .isThrownBy(() -> reserve.leaving("claim", () -> {
                        throw new IllegalStateException("planted");
                    }));

            assertThat(reserve.leaving("claim", () -> "ran")).isEqualTo("ran");
        }

        @Test
        void ofAnInterruptedThreadGoesOnWhereItNeedNotWait() {
            Thread.currentThread().interrupt();

            assertThat(reserve.leaving("complete", () -> "ran")).isEqualTo("ran");

            assertThat(Thread.interrupted()).isTrue();
        }

        @Test
        void ofAnInterruptedThreadDoesNotWait() {
            whileItIsTaken(() -> {
                Thread.currentThread().interrupt();

                assertThatExceptionOfType(IdempotencyStoreException.class)
                        .isThrownBy(() -> reserve.leaving("claim", () -> "ran"))
                        .withMessageContaining("Interrupted");
                assertThat(Thread.interrupted()).isTrue();
            });
        }

        @Test
        void onSharedConnectionsNeverWaits() {
            RenewalReserve shared = RenewalReserve.none();

            assertThat(shared.leaving("claim", () -> shared.leaving("complete", () -> "ran")))
                    .isEqualTo("ran");
        }

        private void whileItIsTaken(Runnable then) {
            CountDownLatch taken = new CountDownLatch(1);
            CountDownLatch end = new CountDownLatch(1);
            Call<Boolean> other = new Call<>(() -> reserve.leaving("complete", () -> {
                taken.countDown();
                return isOver(end);
            }));
            assertThat(isOver(taken)).isTrue();
            try {
                then.run();
            } finally {
                end.countDown();
            }
            assertThat(other.answer).succeedsWithin(PATIENCE).isEqualTo(true);
        }

        private static boolean isOver(CountDownLatch latch) {
            try {
                return latch.await(1, TimeUnit.MINUTES);
            } catch (InterruptedException interrupted) {
                throw new AssertionError(interrupted);
            }
        }
    }

    /** A store with two connections of its own, on which claims take until they are let pass. */
    private static final class FloodedStore implements AutoCloseable {

        private final TestDatabase database = TestDatabase.h2();

        private final Gate gate = new Gate();

        private final HikariDataSource application;

        private final JdbcIdempotencyStore store;

        private final Claim running;

        FloodedStore() {
            HikariConfig configuration = new HikariConfig();
            configuration.setDataSource(new PreparedStatements(
                    new DriverManagerDataSource(database.configuration().getJdbcUrl()), gate));
            application = new HikariDataSource(configuration);
            store = database.openStore(application, new JdbcStoreSettings("idempotency_", 2, Duration.ofMinutes(1)));
            running = Claims.granted(store, Claims.newIdentity());
            gate.close();
        }

        /** Returns claims all of which wait. */
        List<Call<ClaimOutcome>> flood() {
            List<Call<ClaimOutcome>> flood = Stream.generate(
                            () -> new Call<>(() -> store.claim(Claims.request(Claims.newIdentity()))))
                    .limit(FLOOD)
                    .toList();
            flood.forEach(Call::awaitWaiting);
            return flood;
        }

        Call<Map<Claim, Renewal>> renewal() {
            return new Call<>(() -> store.renew(List.of(running)));
        }

        Map<Claim, Renewal> renewed() {
            return Map.of(running, Renewal.RENEWED);
        }

        @Override
        public void close() {
            gate.open();
            store.close();
            application.close();
            database.close();
        }
    }

    /** A call on a thread of its own. */
    private static final class Call<T> {

        private final CompletableFuture<T> answer = new CompletableFuture<>();

        private final Thread thread;

        Call(Supplier<T> verb) {
            thread = new Thread(() -> {
                try {
                    answer.complete(verb.get());
                } catch (Throwable failure) {
                    answer.completeExceptionally(failure);
                }
            });
            thread.setDaemon(true);
            thread.start();
        }

        void awaitWaiting() {
            await().atMost(PATIENCE)
                    .until(
                            thread::getState,
                            state -> state == Thread.State.WAITING || state == Thread.State.TIMED_WAITING);
        }
    }

    /** Where claims have their connection, and wait. */
    private static final class Gate implements PreparedStatements.Hand {

        private static final int ALL = 1_000;

        private final Semaphore passes = new Semaphore(ALL);

        void close() {
            passes.drainPermits();
        }

        void open() {
            passes.release(ALL);
        }

        @Override
        public String take(String sql) {
            if (sql.startsWith("SELECT 0 AS granted")) {
                passes.acquireUninterruptibly();
            }
            return sql;
        }
    }
}
