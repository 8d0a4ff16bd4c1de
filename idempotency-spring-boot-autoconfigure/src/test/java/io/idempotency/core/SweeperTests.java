package io.idempotency.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

import io.idempotency.testsupport.CapturedLog;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SweeperTests {

    private static final Duration AT_ONCE = Duration.ofMillis(5);

    private static final Duration NEVER_AGAIN = Duration.ofDays(1);

    @Test
    void aWholeBatchIsFollowedByAnotherAndAnIncompleteOneIsTheLast() {
        CountingStore store = new CountingStore(250);
        try (Sweeper sweeper = new Sweeper(store, NEVER_AGAIN, 100)) {
            sweeper.sweepNow();
            await().until(() -> store.batches.size() == 3);
        }

        assertThat(store.batches).containsExactly(100, 100, 50);
    }

    @Test
    void whatExpiresLaterIsSweptLater() {
        CountingStore store = new CountingStore(10);
        try (Sweeper sweeper = new Sweeper(store, AT_ONCE, 100)) {
            sweeper.start();
            await().until(() -> store.expired.get() == 0);

            store.expired.set(7);

            await().until(() -> store.expired.get() == 0);
        }
    }

    @Test
    void aFailureIsToldOnceAndTriedAgain() {
        AtomicInteger failures = new AtomicInteger();
        SweepableStore failing = limit -> {
            failures.incrementAndGet();
            throw new IdempotencyStoreException("planted", null);
        };
        try (CapturedLog log = new CapturedLog(Sweeper.class.getName(), "INFO");
                Sweeper sweeper = new Sweeper(failing, AT_ONCE, 100)) {
            sweeper.start();
            await().until(() -> failures.get() > 5);

            assertThat(log.lines())
                    .singleElement()
                    .satisfies(line -> assertThat(line).contains("failed").contains("planted"));
        }
    }

    @Test
    void aBatchThatFailsIsFollowedBySmallerOnesAtOnceAndTheRestIsSweptInTheSizeThatSucceeds() {
        LimitedStore store = new LimitedStore(30, 80);
        try (Sweeper sweeper = new Sweeper(store, NEVER_AGAIN, 100)) {
            sweeper.sweepNow();
            await().until(() -> store.limits.size() == 6);
        }

        assertThat(store.limits).containsExactly(100, 50, 25, 25, 25, 25);
    }

    /** The pause between two batches is longer than the interval of this sweeper. */
    @Test
    void batchesGrowByATenthFromOneIntervalToTheNextWithoutAFailure() {
        LimitedStore store = new LimitedStore(40, Integer.MAX_VALUE);
        try (Sweeper sweeper = new Sweeper(store, AT_ONCE, 100)) {
            sweeper.sweepNow();
            await().until(() -> store.limits.size() >= 8);
        }

        assertThat(store.limits).startsWith(100, 50, 25, 35, 45, 22, 32, 42);
    }

    @Test
    void batchesGrowNoLargerThanTheyAreToBe() {
        AtomicInteger failures = new AtomicInteger(1);
        List<Integer> limits = new CopyOnWriteArrayList<>();
        SweepableStore store = limit -> {
            limits.add(limit);
            if (failures.getAndDecrement() > 0) {
                throw new IdempotencyStoreException("planted", null);
            }
            return limit;
        };
        try (Sweeper sweeper = new Sweeper(store, AT_ONCE, 15)) {
            sweeper.sweepNow();
            await().until(() -> limits.size() >= 11);
        }

        assertThat(limits).startsWith(15, 7, 8, 9, 10, 11, 12, 13, 14, 15, 15);
    }

    @Test
    void aStoreThatIsAwayIsAskedForOneRecordInEachInterval() {
        LimitedStore away = new LimitedStore(0, 1);
        try (Sweeper sweeper = new Sweeper(away, NEVER_AGAIN, 4)) {
            sweeper.sweepNow();
            await().until(() -> away.limits.size() == 3);
            await().during(Duration.ofMillis(200)).until(() -> away.limits.size() == 3);
        }

        assertThat(away.limits).containsExactly(4, 2, 1);
    }

    @Test
    void anotherFailureAfterASuccessIsToldAgain() {
        AtomicInteger calls = new AtomicInteger();
        SweepableStore unsteady = limit -> {
            if (calls.incrementAndGet() % 2 == 1) {
                throw new IllegalStateException("planted");
            }
            return 0;
        };
        try (CapturedLog log = new CapturedLog(Sweeper.class.getName(), "INFO");
                Sweeper sweeper = new Sweeper(unsteady, AT_ONCE, 100)) {
            sweeper.start();
            await().until(() -> log.lines().size() >= 3);

            assertThat(log.lines().get(0)).contains("failed");
            assertThat(log.lines().get(1)).contains("succeeds again");
            assertThat(log.lines().get(2)).contains("failed");
        }
    }

    @Test
    void closingWaitsForTheBatchUnderWayAndStartsNoOther() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        List<String> events = new CopyOnWriteArrayList<>();
        SweepableStore slow = limit -> {
            begun.countDown();
            await().until(() -> mayEnd.getCount() == 0);
            events.add("swept");
            return limit;
        };
        Sweeper sweeper = new Sweeper(slow, AT_ONCE, 100);
        sweeper.start();
        assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();
        ExecutorService executor = Executors.newSingleThreadExecutor();
        try {
            Future<?> closing = executor.submit(() -> {
                mayEnd.countDown();
                sweeper.close();
                events.add("closed");
            });
            closing.get(30, TimeUnit.SECONDS);
        } finally {
            executor.shutdownNow();
        }

        assertThat(events).containsExactly("swept", "closed");
    }

    @Test
    void itsThreadKeepsNoJvmAlive() {
        List<Thread> threads = new CopyOnWriteArrayList<>();
        SweepableStore store = limit -> {
            threads.add(Thread.currentThread());
            return 0;
        };
        try (Sweeper sweeper = new Sweeper(store, AT_ONCE, 100)) {
            sweeper.start();
            await().until(() -> !threads.isEmpty());

            assertThat(threads.get(0).isDaemon()).isTrue();
            assertThat(threads.get(0).getName()).startsWith("idempotency-sweeper");
        }
    }

    @Test
    void anIntervalOrABatchOfNothingIsRefused() {
        CountingStore store = new CountingStore(0);

        assertThatIllegalArgumentException().isThrownBy(() -> new Sweeper(store, Duration.ZERO, 1));
        assertThatIllegalArgumentException().isThrownBy(() -> new Sweeper(store, NEVER_AGAIN, 0));
    }

    /** A store in which only batches up to a size succeed. */
    private static final class LimitedStore implements SweepableStore {

        final List<Integer> limits = new CopyOnWriteArrayList<>();

        private final int largest;

        private final AtomicInteger expired;

        LimitedStore(int largest, int expired) {
            this.largest = largest;
            this.expired = new AtomicInteger(expired);
        }

        @Override
        public int sweep(int limit) {
            limits.add(limit);
            if (limit > largest) {
                throw new IdempotencyStoreException("planted", null);
            }
            return Math.min(limit, Math.max(0, expired.getAndAdd(-limit)));
        }
    }

    private static final class CountingStore implements SweepableStore {

        final List<Integer> batches = new CopyOnWriteArrayList<>();

        final AtomicInteger expired;

        CountingStore(int expired) {
            this.expired = new AtomicInteger(expired);
        }

        @Override
        public int sweep(int limit) {
            int deleted = Math.min(limit, expired.get());
            expired.addAndGet(-deleted);
            batches.add(deleted);
            return deleted;
        }
    }
}
