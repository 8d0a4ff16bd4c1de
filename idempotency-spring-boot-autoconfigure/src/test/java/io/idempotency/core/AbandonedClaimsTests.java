package io.idempotency.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idempotency.core.FaultyStore.Verb;
import io.idempotency.store.memory.InMemoryIdempotencyStore;
import io.idempotency.testsupport.CapturedLog;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Rule 8: a claim whose reply never came is released in the background. */
@Timeout(60)
class AbandonedClaimsTests {

    private static final Duration RETENTION = Duration.ofHours(1);

    private static final Duration LEASE = Duration.ofMillis(50);

    private final InMemoryIdempotencyStore memory = new InMemoryIdempotencyStore(1_000);

    private final FaultyStore store = new FaultyStore(memory);

    private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();

    private final AbandonedClaims abandoned =
            new AbandonedClaims(store, new WaitingRoom(1), scheduler, System::nanoTime);

    private final CountDownLatch end = new CountDownLatch(1);

    @AfterEach
    void shutdown() {
        end.countDown();
        scheduler.shutdownNow();
    }

    @Test
    void aClaimThatTheStoreAppliesWhenItComesBackIsReleasedThoughItWasSilentForLongerThanTheLease() {
        ClaimRequest request = request("k");
        FaultyStore late = arrivingAfterRelease(4, request);
        late.failing(Verb.RELEASE, 3);

        new AbandonedClaims(late, new WaitingRoom(1), scheduler, System::nanoTime).release(request, RETENTION);

        await().until(() -> isReleased("k"));
    }

    @Test
    void aClaimThatArrivesAfterItsReleaseIsReleasedToo() {
        ClaimRequest request = request("k");

        new AbandonedClaims(arrivingAfterRelease(1, request), new WaitingRoom(1), scheduler, System::nanoTime)
                .release(request, RETENTION);

        await().until(() -> isReleased("k"));
    }

    @Test
    void aClaimThatNeverArrivesIsForgottenAfterALease() throws Exception {
        abandoned.release(request("k"), RETENTION);
        await().until(() -> store.calls(Verb.RELEASE) == 2);
        scheduler.shutdown();
        assertThat(scheduler.awaitTermination(30, TimeUnit.SECONDS)).isTrue();

        abandoned.close();

        assertThat(store.calls(Verb.RELEASE)).isEqualTo(2);
    }

    @Test
    void aPauseInWhichTheStoreFellSilentDoesNotCount() {
        FaultyStore failingOnce = new FaultyStore(memory) {
            @Override
            public Ownership release(Claim claim, Duration retention) {
                Ownership answer = super.release(claim, retention);
                if (calls(Verb.RELEASE) == 2) {
                    throw new IdempotencyStoreException("planted", null);
                }
                return answer;
            }
        };

        new AbandonedClaims(failingOnce, new WaitingRoom(1), scheduler, System::nanoTime)
                .release(request("k"), RETENTION);

        // After an answer and a failure two more answers are needed, since only the time between those counts.
        await().until(() -> failingOnce.calls(Verb.RELEASE) == 4);
    }

    @Test
    void whatIsLeftIsReleasedWhenTheApplicationStops() {
        blockScheduler();
        memory.claim(request("k"));
        ClaimRequest request = request("l");
        memory.claim(request);
        abandoned.release(request, RETENTION);

        abandoned.close();

        assertThat(state("l")).isEqualTo(RecordState.RETRYABLE);
        assertThat(state("k")).isEqualTo(RecordState.IN_PROGRESS);
    }

    @Test
    void closingEndsAtTheFirstFailureAndSaysSo() {
        blockScheduler();
        abandoned.release(request("k"), RETENTION);
        abandoned.release(request("l"), RETENTION);
        abandoned.release(request("m"), RETENTION);
        store.failing(Verb.RELEASE, Integer.MAX_VALUE);

        try (CapturedLog log = new CapturedLog(AbandonedClaims.class.getName(), "WARN")) {
            abandoned.close();

            assertThat(log.lines()).singleElement().asString().contains("; 3 claims");
        }
        assertThat(store.calls(Verb.RELEASE)).isEqualTo(1);
    }

    @Test
    void whatComesBeyondTheLimitIsSaidOnceAndCounted() {
        blockScheduler();
        store.failing(Verb.RELEASE, Integer.MAX_VALUE);

        try (CapturedLog log = new CapturedLog(AbandonedClaims.class.getName(), "WARN")) {
            for (int number = 0; number < AbandonedClaims.MAX_PENDING + 3; number++) {
                abandoned.release(request("k" + number), RETENTION);
            }
            assertThat(log.lines()).singleElement().asString().contains("no more are remembered");

            abandoned.close();

            assertThat(log.lines()).anyMatch(line -> line.startsWith("3 claims"));
        }
    }

    /** Applies a claim once the release of that number is answered: it was on its way for so long. */
    private FaultyStore arrivingAfterRelease(int number, ClaimRequest request) {
        return new FaultyStore(memory) {
            @Override
            public Ownership release(Claim claim, Duration retention) {
                Ownership answer = super.release(claim, retention);
                if (calls(Verb.RELEASE) == number) {
                    memory.claim(request);
                }
                return answer;
            }
        };
    }

    private void blockScheduler() {
        scheduler.execute(() -> {
            try {
                end.await(50, TimeUnit.SECONDS);
            } catch (InterruptedException closed) {
                Thread.currentThread().interrupt();
            }
        });
    }

    private boolean isReleased(String key) {
        return memory.find(identity(key))
                .filter(record -> record.state() == RecordState.RETRYABLE)
                .isPresent();
    }

    private RecordState state(String key) {
        return memory.find(identity(key)).orElseThrow().state();
    }

    private static Identity identity(String key) {
        return Identity.of("shop", "pay", null, key);
    }

    private static ClaimRequest request(String key) {
        return ClaimRequest.of(
                identity(key), Fingerprint.none(), OwnerToken.random(), OperationPolicy.DEFAULT.withLease(LEASE));
    }
}
