package io.idempotency.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idempotency.store.memory.InMemoryIdempotencyStore;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Renewal by hand, but for one test: the scheduler comes too late, and the clock stands still until a test moves it. */
class LeaseRenewerTests {

    private static final Duration LEASE = Duration.ofSeconds(30);

    private static final Duration MAX_DURATION = Duration.ofMinutes(2);

    private final RenewingStore store = new RenewingStore();

    private final RecordingListener listener = new RecordingListener();

    private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();

    private long now;

    private final LeaseRenewer renewer =
            new LeaseRenewer(store, new Listeners(List.of(listener)), scheduler, () -> now);

    @AfterEach
    void shutdown() {
        scheduler.shutdownNow();
    }

    @Test
    void aClaimIsRenewedAfterAThirdOfItsLease() {
        watched("k");

        advance(Duration.ofSeconds(9));
        renewer.renewDue();
        assertThat(store.batches).isEmpty();
        advance(Duration.ofSeconds(1));
        renewer.renewDue();

        assertThat(store.batches).hasSize(1);
    }

    @Test
    void claimsThatAreDueGoTogetherAHundredAtATime() {
        IntStream.range(0, 150).forEach(number -> watched("k" + number));

        advance(Duration.ofSeconds(10));
        renewer.renewDue();

        assertThat(store.batches).extracting(Collection::size).containsExactlyInAnyOrder(100, 50);
    }

    @Test
    void aClaimIsNotRenewedBeyondMaxDuration() {
        Lease lease = watched("k");
        for (int seconds = 0; seconds < 120; seconds += 10) {
            renewer.renewDue();
            advance(Duration.ofSeconds(10));
        }
        int renewals = store.batches.size();

        renewer.renewDue();
        advance(LEASE);
        renewer.renewDue();

        assertThat(store.batches).hasSize(renewals);
        assertThat(lease.isLost()).isTrue();
        assertThat(listener.events()).containsExactly("lost");
    }

    @Test
    void aClaimThatTheStoreCallsLostIsLostForGoodAndSaidOnce() {
        Lease lease = watched("k");
        store.answer = Renewal.LOST;

        advance(Duration.ofSeconds(10));
        renewer.renewDue();
        advance(Duration.ofSeconds(10));
        renewer.renewDue();

        assertThat(lease.isLost()).isTrue();
        assertThat(renewer.watched()).isZero();
        assertThat(store.batches).hasSize(1);
        assertThat(listener.events()).containsExactly("lost");
    }

    @Test
    void aBusyRecordIsAskedAgainSoonAndIsNotLost() {
        Lease lease = watched("k");
        store.answer = Renewal.BUSY;

        advance(Duration.ofSeconds(10));
        renewer.renewDue();
        store.answer = Renewal.RENEWED;
        advance(Duration.ofSeconds(3));
        renewer.renewDue();

        assertThat(store.batches).hasSize(2);
        assertThat(lease.isLost()).isFalse();
    }

    @Test
    void oneFailedRenewalLosesNothing() {
        Lease lease = watched("k");
        store.failing = true;

        advance(Duration.ofSeconds(10));
        renewer.renewDue();
        store.failing = false;
        advance(Duration.ofSeconds(3));
        renewer.renewDue();
        advance(Duration.ofSeconds(29));

        assertThat(lease.isLost()).isFalse();
    }

    @Test
    void aStoreThatAnswersNothingIsAskedAgainSoon() {
        Lease lease = watched("k");
        store.silent = true;

        advance(Duration.ofSeconds(10));
        renewer.renewDue();
        renewer.renewDue();
        assertThat(store.batches).hasSize(1);
        store.silent = false;
        advance(Duration.ofSeconds(3));
        renewer.renewDue();
        advance(Duration.ofSeconds(29));

        assertThat(lease.isLost()).isFalse();
    }

    @Test
    void aLeaseThatPassedIsLostEvenIfALaterRenewalSucceeds() {
        Lease lease = watched("k");
        store.failing = true;
        advance(LEASE);
        renewer.renewDue();

        store.failing = false;
        advance(Duration.ofSeconds(3));
        renewer.renewDue();

        assertThat(store.batches).isNotEmpty();
        assertThat(lease.isLost()).isTrue();
        assertThat(listener.events()).containsExactly("lost");
    }

    @Test
    void aClaimThatEndedWhileItsRenewalWasUnderWayIsNotLost() {
        Lease lease = watched("k");
        store.answer = Renewal.LOST;
        store.meanwhile = () -> renewer.forget(lease);

        advance(Duration.ofSeconds(10));
        renewer.renewDue();

        assertThat(listener.events()).isEmpty();
    }

    @Test
    void aClaimWhoseEndIsBeingWrittenIsNotLost() {
        Lease lease = watched("k");
        store.answer = Renewal.LOST;
        store.meanwhile = lease::ending;

        advance(Duration.ofSeconds(10));
        renewer.renewDue();

        assertThat(listener.events()).isEmpty();
    }

    @Test
    void aClaimThatIsDueBeforeAllOthersIsRenewedInTime() {
        ScheduledThreadPoolExecutor real = new ScheduledThreadPoolExecutor(1);
        try {
            LeaseRenewer running = new LeaseRenewer(store, new Listeners(List.of()), real, System::nanoTime);
            Lease late =
                    new Lease(claim("late", Duration.ofHours(1)), MAX_DURATION, System.nanoTime(), System::nanoTime);
            Lease early = new Lease(
                    claim("early", Duration.ofMillis(300)), MAX_DURATION, System.nanoTime(), System::nanoTime);
            running.watch(late);
            running.watch(early);

            await().atMost(Duration.ofMinutes(1)).until(() -> !store.batches.isEmpty());

            assertThat(store.batches.get(0)).containsExactly(early.claim());
        } finally {
            real.shutdownNow();
        }
    }

    @Test
    void noTaskRemainsWhenNoClaimIsLeft() {
        ScheduledThreadPoolExecutor real = new ScheduledThreadPoolExecutor(1);
        try {
            LeaseRenewer running = new LeaseRenewer(store, new Listeners(List.of()), real, System::nanoTime);
            Lease lease =
                    new Lease(claim("k", Duration.ofSeconds(1)), MAX_DURATION, System.nanoTime(), System::nanoTime);
            // The task of the renewer cannot begin before the claim is forgotten.
            CountDownLatch forgotten = new CountDownLatch(1);
            real.submit(() -> forgotten.await(1, TimeUnit.MINUTES));
            running.watch(lease);
            running.forget(lease);
            forgotten.countDown();

            await().atMost(Duration.ofMinutes(1)).until(() -> real.getCompletedTaskCount() == 2);

            assertThat(real.getQueue()).isEmpty();
            assertThat(store.batches).isEmpty();
        } finally {
            real.shutdownNow();
        }
    }

    private Lease watched(String key) {
        Lease lease = new Lease(claim(key, LEASE), MAX_DURATION, now, () -> now);
        renewer.watch(lease);
        return lease;
    }

    private static Claim claim(String key, Duration lease) {
        return new Claim(Identity.of("shop", "pay", null, key), OwnerToken.random(), 1, lease);
    }

    private void advance(Duration duration) {
        now += duration.toNanos();
    }

    /** Answers renewals as the test says. */
    private static final class RenewingStore extends FaultyStore {

        private final List<Collection<Claim>> batches = new CopyOnWriteArrayList<>();

        private Renewal answer = Renewal.RENEWED;

        private boolean failing;

        /** Gives no answers at all, as no store should. */
        private boolean silent;

        private Runnable meanwhile = () -> {};

        RenewingStore() {
            super(new InMemoryIdempotencyStore(1));
        }

        @Override
        public Map<Claim, Renewal> renew(Collection<Claim> claims) {
            meanwhile.run();
            if (failing) {
                throw new IdempotencyStoreException("planted", null);
            }
            batches.add(List.copyOf(claims));
            if (silent) {
                return null;
            }
            return claims.stream().collect(Collectors.toMap(Function.identity(), claim -> answer));
        }
    }
}
