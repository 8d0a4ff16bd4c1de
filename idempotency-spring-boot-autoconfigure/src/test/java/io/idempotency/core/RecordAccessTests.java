package io.idempotency.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RecordAccessTests {

    private final AtomicLong nanos = new AtomicLong();

    private final Lease lease = new Lease(
            new Claim(Identity.of("test", "operation", null, "k"), OwnerToken.random(), 1, Duration.ofSeconds(30)),
            Duration.ofHours(1),
            0,
            nanos::get);

    private final RecordAccess access = new RecordAccess(lease);

    private final List<String> done = new CopyOnWriteArrayList<>();

    @Test
    void whoWritesWaitsForTheTransactionOfAnotherThread() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        Thread transaction = inTransaction(end);
        Thread writer = new Thread(() -> access.shared(() -> done.add("step")));
        writer.start();
        await().until(() -> writer.getState() == Thread.State.TIMED_WAITING);
        end.countDown();

        transaction.join();
        writer.join();

        assertThat(done).containsExactly("transaction", "step");
    }

    /** The lock is made by whoever comes first. */
    @RepeatedTest(200)
    void noTwoTransactionsKeepTheRecordLockedThoughBothAreTheFirst() throws Exception {
        CyclicBarrier together = new CyclicBarrier(2);
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger mostInside = new AtomicInteger();
        Callable<Boolean> transaction = () -> {
            together.await();
            return access.exclusive(() -> {
                mostInside.accumulateAndGet(inside.incrementAndGet(), Math::max);
                Thread.yield();
                inside.decrementAndGet();
                return true;
            });
        };
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            threads.invokeAll(List.of(transaction, transaction));
        } finally {
            threads.shutdown();
        }

        assertThat(threads.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
        assertThat(mostInside).hasValue(1);
    }

    @Test
    void whoWritesDoesNotOvertakeATransactionThatWaits() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        CountDownLatch begun = new CountDownLatch(1);
        Thread first = new Thread(() -> access.shared(() -> {
            begun.countDown();
            await().until(() -> end.getCount() == 0);
            return done.add("first step");
        }));
        first.start();
        begun.await();
        Thread transaction = new Thread(() -> access.exclusive(() -> done.add("transaction")));
        transaction.start();
        await().until(() -> transaction.getState() == Thread.State.TIMED_WAITING);
        Thread second = new Thread(() -> access.shared(() -> done.add("second step")));
        second.start();
        await().until(() -> second.getState() == Thread.State.TIMED_WAITING || !second.isAlive());
        end.countDown();

        first.join();
        transaction.join();
        second.join();

        assertThat(done).containsExactly("first step", "transaction", "second step");
    }

    @Test
    void whoeverHasTheTransactionMayWriteInItThoughOthersWait() throws Exception {
        Thread writer = new Thread(() -> access.shared(() -> done.add("step of another thread")));
        access.exclusive(() -> {
            writer.start();
            await().until(() -> writer.getState() == Thread.State.TIMED_WAITING);
            Thread.currentThread().interrupt();
            return access.shared(() -> done.add("step"));
        });

        assertThat(Thread.interrupted()).isTrue();
        writer.join();
        assertThat(done).containsExactly("step", "step of another thread");
    }

    @Test
    void whoeverHasTheTransactionMayWriteInIt() {
        access.exclusive(() -> {
            assertThat(access.isLockedHere()).isTrue();
            access.shared(() -> done.add("step"));
            return access.exclusive(() -> done.add("inner transaction"));
        });

        assertThat(access.isLockedHere()).isFalse();
        assertThat(done).containsExactly("step", "inner transaction");
    }

    @Test
    void nobodyWaitsLongerThanTheClaimMayLast() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        Thread transaction = inTransaction(end);
        nanos.set(Duration.ofHours(2).toNanos());

        assertThatExceptionOfType(IdempotencyStoreException.class)
                .isThrownBy(() -> access.shared(() -> done.add("step")))
                .withMessageContaining("another step");

        end.countDown();
        transaction.join();
        assertThat(done).containsExactly("transaction");
    }

    @Test
    void anInterruptEndsTheWaiting() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        Thread transaction = inTransaction(end);
        Thread.currentThread().interrupt();

        assertThatExceptionOfType(IdempotencyStoreException.class)
                .isThrownBy(() -> access.shared(() -> done.add("step")));
        assertThat(Thread.interrupted()).isTrue();

        end.countDown();
        transaction.join();
    }

    @Test
    void anInterruptedThreadThatNeedNotWaitGoesOn() {
        Thread.currentThread().interrupt();

        access.shared(() -> done.add("step"));

        assertThat(Thread.interrupted()).isTrue();
        assertThat(done).containsExactly("step");
    }

    /** Keeps the record locked on another thread until a latch opens. */
    private Thread inTransaction(CountDownLatch end) throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        Thread thread = new Thread(() -> access.exclusive(() -> {
            begun.countDown();
            await().until(() -> end.getCount() == 0);
            return done.add("transaction");
        }));
        thread.start();
        begun.await();
        return thread;
    }
}
