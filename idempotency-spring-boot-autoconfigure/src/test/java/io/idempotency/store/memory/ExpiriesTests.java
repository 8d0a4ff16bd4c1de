package io.idempotency.store.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.core.Identity;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ExpiriesTests {

    private static final int THREADS = 4;

    private static final int EACH = 20_000;

    private final Expiries expiries = new Expiries();

    @Test
    void whatExpiresInOneStepIsTakenAfterItsEnd() {
        expiries.add(identity("first"), 1_000);
        expiries.add(identity("last"), 1_099);
        expiries.add(identity("later"), 1_100);

        assertThat(expiries.takePassed(1_099)).isEmpty();
        assertThat(expiries.takePassed(1_100)).containsExactlyInAnyOrder(identity("first"), identity("last"));
        assertThat(expiries.takePassed(1_100)).isEmpty();
        assertThat(expiries.takePassed(1_200)).containsExactly(identity("later"));
    }

    @Test
    void stepsAreTakenInTheirOrderWhicheverWasAddedFirst() {
        expiries.add(identity("later"), 5_000);
        expiries.add(identity("earlier"), 1_000);

        assertThat(expiries.takePassed(9_000)).containsExactly(identity("earlier"));
        assertThat(expiries.takePassed(9_000)).containsExactly(identity("later"));
    }

    @Test
    void whatIsRemovedIsNotTakenAndAllOthersAre() {
        List<Identity> all = IntStream.range(0, 10)
                .mapToObj(number -> identity("key " + number))
                .toList();
        for (Identity gone : all) {
            all.forEach(identity -> expiries.add(identity, 1_000));

            expiries.remove(gone, 1_000);

            assertThat(expiries.takePassed(2_000))
                    .containsExactlyInAnyOrderElementsOf(
                            all.stream().filter(left -> !left.equals(gone)).toList());
        }
    }

    @Test
    void aStepFromWhichAllWereRemovedCanBeAddedTo() {
        expiries.add(identity("gone"), 1_000);
        expiries.remove(identity("gone"), 1_000);
        assertThat(expiries.ofPresentStep(1_000)).isEmpty();

        expiries.add(identity("next"), 1_050);

        assertThat(expiries.ofPresentStep(1_000)).containsExactly(identity("next"));
        assertThat(expiries.takePassed(2_000)).containsExactly(identity("next"));
    }

    @Test
    void aStepThatWasTakenCanBeAddedTo() {
        expiries.add(identity("first"), 1_000);
        expiries.takePassed(2_000);

        expiries.add(identity("late"), 1_000);

        assertThat(expiries.takePassed(2_000)).containsExactly(identity("late"));
    }

    @Test
    void removingWhatIsNotThereRemovesNothing() {
        expiries.add(identity("key"), 1_000);

        expiries.remove(identity("another"), 1_000);
        expiries.remove(identity("key"), 2_000);

        assertThat(expiries.takePassed(3_000)).containsExactly(identity("key"));
    }

    /** Steps are taken while others add to them and remove from them, sooner than they would be. */
    @Test
    void underConcurrencyEachIsTakenOnceUnlessItWasRemoved() throws Exception {
        AtomicLong now = new AtomicLong();
        CountDownLatch running = new CountDownLatch(THREADS);
        ExecutorService executor = Executors.newFixedThreadPool(2 * THREADS);
        try {
            List<Future<List<Identity>>> adding = new ArrayList<>();
            List<Future<List<Identity>>> taking = new ArrayList<>();
            for (int thread = 0; thread < THREADS; thread++) {
                String name = "thread " + thread;
                adding.add(executor.submit(() -> addAndRemoveSome(name, now, running)));
                taking.add(executor.submit(() -> takeWhile(running, now)));
            }
            List<Identity> left = ofAll(adding);
            List<Identity> taken = ofAll(taking);
            takeRest(taken, Long.MAX_VALUE - 1);

            assertThat(left).isNotEmpty();
            Set<Identity> different = new HashSet<>(taken);
            assertThat(different).hasSameSizeAs(taken);
            assertThat(left).allMatch(different::contains);
        } finally {
            executor.shutdownNow();
        }
    }

    @Test
    void underConcurrencyNothingThatWasRemovedFromAStepComesBack() throws Exception {
        ExecutorService executor = Executors.newFixedThreadPool(THREADS);
        try {
            List<Future<List<Identity>>> adding = new ArrayList<>();
            for (int thread = 0; thread < THREADS; thread++) {
                String name = "thread " + thread;
                adding.add(executor.submit(() -> addAndRemoveSome(name, () -> 1_000)));
            }
            List<Identity> left = ofAll(adding);

            List<Identity> taken = expiries.takePassed(2_000);

            assertThat(taken).hasSameSizeAs(left);
            assertThat(new HashSet<>(taken)).isEqualTo(new HashSet<>(left));
        } finally {
            executor.shutdownNow();
        }
    }

    private List<Identity> addAndRemoveSome(String name, AtomicLong now, CountDownLatch running) {
        try {
            return addAndRemoveSome(name, now::incrementAndGet);
        } finally {
            running.countDown();
        }
    }

    /** Returns those that were not removed. */
    private List<Identity> addAndRemoveSome(String name, LongSupplier times) {
        List<Identity> left = new ArrayList<>();
        for (int number = 0; number < EACH; number++) {
            Identity identity = identity(name + " " + number);
            long expiry = times.getAsLong();
            expiries.add(identity, expiry);
            if (number % 2 == 0) {
                expiries.remove(identity, expiry);
            } else {
                left.add(identity);
            }
        }
        return left;
    }

    private List<Identity> takeWhile(CountDownLatch running, AtomicLong now) {
        List<Identity> taken = new ArrayList<>();
        while (running.getCount() > 0) {
            takeRest(taken, now.get() + 100);
        }
        return taken;
    }

    private void takeRest(List<Identity> taken, long now) {
        for (List<Identity> passed = expiries.takePassed(now); !passed.isEmpty(); passed = expiries.takePassed(now)) {
            taken.addAll(passed);
        }
    }

    private static List<Identity> ofAll(List<Future<List<Identity>>> threads) throws Exception {
        List<Identity> all = new ArrayList<>();
        for (Future<List<Identity>> each : threads) {
            all.addAll(each.get());
        }
        return all;
    }

    private static Identity identity(String key) {
        return Identity.of("expiries", "operation", null, key);
    }
}
