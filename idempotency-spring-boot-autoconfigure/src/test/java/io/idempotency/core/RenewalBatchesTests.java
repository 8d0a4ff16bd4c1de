package io.idempotency.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idempotency.store.memory.InMemoryIdempotencyStore;
import io.idempotency.testsupport.CapturedLog;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Many claims of which a part gets no answer. The clock stands still until a test moves it. */
@Timeout(60)
class RenewalBatchesTests {

    private static final Duration LEASE = Duration.ofSeconds(30);

    private final AtomicLong now = new AtomicLong();

    private final SilentPart store = new SilentPart();

    private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();

    private final LeaseRenewer renewer = new LeaseRenewer(store, new Listeners(List.of()), scheduler, now::get);

    @AfterEach
    void close() {
        renewer.close();
    }

    @Test
    void threeBatchesAreUnderWayAtTheSameTimeAndNoMore() {
        List<Lease> leases = watched(700);
        CountDownLatch three = new CountDownLatch(3);
        store.meanwhile = batch -> {
            three.countDown();
            awaitOpen(three);
        };

        advance(Duration.ofSeconds(10));
        renewer.renewDue();

        assertThat(store.batches).hasSize(7);
        assertThat(store.mostAtOnce).hasValue(3);
        advance(Duration.ofSeconds(25));
        assertThat(leases).noneMatch(Lease::isLost);
    }

    @Test
    void claimsThatGotNoAnswerGoInBatchesOfTheirOwnAfterTheOthers() {
        List<Lease> silent = watched(350);
        List<Lease> others = watched(150);
        silent.forEach(lease -> store.silent.add(lease.claim()));
        advance(Duration.ofSeconds(10));
        renewer.renewDue();
        CountDownLatch answered = new CountDownLatch(2);
        store.meanwhile = batch -> {
            if (store.silent.contains(batch.get(0))) {
                awaitOpen(answered);
            } else {
                answered.countDown();
            }
        };
        store.batches.clear();

        advance(Duration.ofSeconds(10));
        renewer.renewDue();

        assertThat(store.batches)
                .hasSize(6)
                .allSatisfy(batch -> assertThat(
                                batch.stream().map(store.silent::contains).distinct())
                        .hasSize(1));
        advance(Duration.ofSeconds(25));
        assertThat(others).noneMatch(Lease::isLost);
        assertThat(silent).allMatch(Lease::isLost);
    }

    @Test
    void claimsThatAreAnsweredAgainGoWithTheOthers() {
        List<Lease> leases = watched(20);
        store.silent.add(leases.get(0).claim());
        advance(Duration.ofSeconds(10));
        renewer.renewDue();
        store.silent.clear();
        advance(Duration.ofSeconds(10));
        renewer.renewDue();
        store.batches.clear();

        advance(Duration.ofSeconds(10));
        renewer.renewDue();

        assertThat(store.batches)
                .singleElement()
                .asInstanceOf(InstanceOfAssertFactories.LIST)
                .hasSize(20);
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "150, 2"})
    void aStopInTheMiddleOfARenewalIsNoAlarm(int claims, int batches) {
        CountDownLatch sent = new CountDownLatch(batches);
        store.meanwhile = batch -> {
            sent.countDown();
            awaitOpen(new CountDownLatch(1));
        };
        watched(claims);
        advance(Duration.ofSeconds(10));
        scheduler.execute(renewer::renewDue);
        awaitOpen(sent);

        try (CapturedLog log = new CapturedLog(LeaseRenewer.class.getName(), "DEBUG")) {
            renewer.close();

            await().until(() -> log.lines().size() >= batches);
            assertThat(log.lines()).allMatch(line -> line.startsWith("The application stops"));
        }
    }

    private List<Lease> watched(int number) {
        List<Lease> leases = Stream.generate(this::lease).limit(number).toList();
        leases.forEach(renewer::watch);
        return leases;
    }

    private Lease lease() {
        Identity identity = Identity.of("shop", "pay", null, OwnerToken.random().toString());
        return new Lease(
                new Claim(identity, OwnerToken.random(), 1, LEASE), Duration.ofMinutes(15), now.get(), now::get);
    }

    private void advance(Duration duration) {
        now.addAndGet(duration.toNanos());
    }

    /** As the store with its time limit does, whose callers are interrupted at a stop. */
    private static void awaitOpen(CountDownLatch latch) {
        try {
            if (!latch.await(30, TimeUnit.SECONDS)) {
                throw new IllegalStateException("Never opened");
            }
        } catch (InterruptedException interrupted) {
            throw new IdempotencyStoreException("Interrupted while waiting for the store: renew", interrupted);
        }
    }

    /** Renews what is not silent. */
    private static final class SilentPart extends FaultyStore {

        private final Set<Claim> silent = ConcurrentHashMap.newKeySet();

        private final List<List<Claim>> batches = new CopyOnWriteArrayList<>();

        private final AtomicInteger atOnce = new AtomicInteger();

        private final AtomicInteger mostAtOnce = new AtomicInteger();

        private volatile Consumer<List<Claim>> meanwhile = batch -> {};

        SilentPart() {
            super(new InMemoryIdempotencyStore(1));
        }

        @Override
        public Map<Claim, Renewal> renew(Collection<Claim> claims) {
            List<Claim> batch = new ArrayList<>(claims);
            batches.add(batch);
            mostAtOnce.accumulateAndGet(atOnce.incrementAndGet(), Math::max);
            try {
                meanwhile.accept(batch);
            } finally {
                atOnce.decrementAndGet();
            }
            Map<Claim, Renewal> answers = new HashMap<>();
            batch.forEach(claim -> answers.put(claim, silent.contains(claim) ? Renewal.BUSY : Renewal.RENEWED));
            return answers;
        }
    }
}
