package io.idempotency.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The number of threads that wait for a store is limited, and what comes in excess is told why it got none. */
@Timeout(60)
class StoreThreadsTests {

    private static final Duration LONG = Duration.ofSeconds(40);

    private static final Duration SHORT = Duration.ofMillis(50);

    private final AtomicInteger underWay = new AtomicInteger();

    private final CountDownLatch thaw = new CountDownLatch(1);

    private final AtomicBoolean ended = new AtomicBoolean();

    private final ExecutorService callers = Executors.newCachedThreadPool();

    @AfterEach
    void thaw() {
        ended.set(true);
        thaw.countDown();
        callers.shutdownNow();
    }

    @Test
    void aCallBeyondTheLimitWaitsUntilAnotherEnds() throws Exception {
        StoreThreads threads = new StoreThreads("test", LONG);
        List<Future<String>> frozen = frozen(threads, StoreThreads.MAX_THREADS);

        Future<String> oneMore = callers.submit(() -> threads.call("claim", () -> "answered"));
        thaw.countDown();

        assertThat(oneMore.get()).isEqualTo("answered");
        for (Future<String> call : frozen) {
            assertThat(call.get()).isEqualTo("thawed");
        }
    }

    @Test
    void aCallThatGetsNoThreadWhileNothingIsAnsweredIsToldThatTheStoreIsSilent() {
        StoreThreads threads = new StoreThreads("test", SHORT);
        frozen(threads, StoreThreads.MAX_THREADS);

        assertThatExceptionOfType(StoreSaturatedException.class)
                .isThrownBy(() -> threads.call("claim", () -> "answered"))
                .withMessageContaining("answered none of the 256 calls")
                .matches(StoreSaturatedException::isStoreSilent);
    }

    @Test
    void aCallThatGetsNoThreadWhileOthersAreAnsweredIsToldHowToMakeRoom() {
        StoreThreads threads = new StoreThreads("test", SHORT);
        frozen(threads, StoreThreads.MAX_THREADS - 1);
        // Each waits behind all others, so that nobody's turn comes in time.
        IntStream.range(0, 20).forEach(caller -> callers.submit(() -> callAgainAndAgain(threads)));

        await().until(() -> isToldToMakeRoom(threads, () -> "answered"));
    }

    @Test
    void aCallThatIsNotAnsweredWhileOthersAreIsToldHowToMakeRoomThoughItWasSent() {
        StoreThreads threads = new StoreThreads("test", SHORT);
        callers.submit(() -> callAgainAndAgain(threads));

        await().until(() -> isToldToMakeRoom(threads, this::awaitThaw));
    }

    @Test
    void aCallThatItsClientGivesUpInTheLastMomentWhileOthersAreAnsweredIsToldHowToMakeRoom() {
        StoreThreads threads = new StoreThreads("test", Duration.ofSeconds(1));
        callers.submit(() -> callAgainAndAgain(threads));

        await().until(() -> isToldToMakeRoom(threads, () -> {
            assertThat(isOver(new CountDownLatch(1), 950)).isFalse();
            throw new IllegalStateException("no connection");
        }));
    }

    @Test
    void aCallThatFailsAtOnceWhileOthersAreAnsweredIsAFailureOfTheStore() {
        StoreThreads threads = new StoreThreads("test", LONG);
        callers.submit(() -> callAgainAndAgain(threads));

        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(() -> threads.call("claim", () -> {
                    throw new IllegalStateException("broken");
                }));
    }

    @Test
    void aThreadComesBackWhenItsCallEndsThoughItWasGivenUp() throws Exception {
        StoreThreads threads = new StoreThreads("test", SHORT);
        frozen(threads, StoreThreads.MAX_THREADS);

        thaw.countDown();

        await().until(() -> underWay.get() == 0);
        assertThat(threads.call("claim", () -> "answered")).isEqualTo("answered");
    }

    @Test
    void aThreadComesBackWhenItsCallFails() throws Exception {
        StoreThreads threads = new StoreThreads("test", LONG);
        for (int number = 0; number <= StoreThreads.MAX_THREADS; number++) {
            assertThatExceptionOfType(ExecutionException.class)
                    .isThrownBy(() -> threads.call("claim", () -> {
                        throw new IllegalStateException("broken");
                    }));
        }
    }

    @Test
    void theCallOfAnInterruptedThreadIsSentThoughNobodyWaitsForItsAnswer() {
        StoreThreads threads = new StoreThreads("test", LONG);
        Thread.currentThread().interrupt();

        assertThatExceptionOfType(IdempotencyStoreException.class)
                .isThrownBy(() -> threads.call("record", this::awaitThaw));

        assertThat(Thread.interrupted()).isTrue();
        await().until(() -> underWay.get() == 1);
    }

    @Test
    void anIdleThreadEndsWhereNoneIsKept() throws Exception {
        StoreThreads threads = new StoreThreads("test", LONG);
        Thread before = threads.call("claim", Thread::currentThread);

        threads.keepNoneIdle();

        Thread after = threads.call("claim", Thread::currentThread);
        await().until(() -> !before.isAlive() && !after.isAlive());
    }

    private List<Future<String>> frozen(StoreThreads threads, int number) {
        List<Future<String>> calls = IntStream.range(0, number)
                .mapToObj(call -> callers.submit(() -> threads.call("claim", this::awaitThaw)))
                .toList();
        await().atMost(40, TimeUnit.SECONDS).until(() -> underWay.get() == number);
        return calls;
    }

    private String awaitThaw() {
        underWay.incrementAndGet();
        try {
            return thaw.await(50, TimeUnit.SECONDS) ? "thawed" : "never thawed";
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        } finally {
            underWay.decrementAndGet();
        }
    }

    private void callAgainAndAgain(StoreThreads threads) {
        CountDownLatch never = new CountDownLatch(1);
        while (!ended.get()) {
            try {
                threads.call("claim", () -> isOver(never, 10));
            } catch (IdempotencyStoreException | ExecutionException expected) {
                // Nobody cares: what counts is that others are answered.
            }
        }
    }

    private static boolean isOver(CountDownLatch never, long milliseconds) {
        try {
            return never.await(milliseconds, TimeUnit.MILLISECONDS);
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }

    private static boolean isToldToMakeRoom(StoreThreads threads, Supplier<String> call) throws Exception {
        try {
            threads.call("claim", call);
            return false;
        } catch (StoreSaturatedException told) {
            return !told.isStoreSilent() && String.valueOf(told.getMessage()).contains("idempotency.jdbc.pool-size");
        } catch (IdempotencyStoreException | ExecutionException silent) {
            return false;
        }
    }
}
