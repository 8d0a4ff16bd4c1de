package io.idempotency.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idempotency.core.FaultyStore.Verb;
import io.idempotency.store.memory.InMemoryIdempotencyStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What becomes of an end whose recording the store does not answer until max-duration is over. */
class OutcomeRecorderTests {

    private static final Duration MAX_DURATION = Duration.ofMinutes(15);

    private final FaultyStore store = new FaultyStore(new InMemoryIdempotencyStore(10));

    private final RecordingListener listener = new RecordingListener();

    private final Listeners listeners = new Listeners(List.of(listener));

    private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();

    /** Stands still from the moment at which the claim may no longer be renewed. */
    private final LeaseRenewer renewer = new LeaseRenewer(store, listeners, scheduler, MAX_DURATION::toNanos);

    private final PendingEnds pending = new PendingEnds(renewer, scheduler, MAX_DURATION::toNanos);

    private final OutcomeRecorder recorder =
            new OutcomeRecorder(store, SurroundingTransaction.NONE, renewer, new WaitingRoom(1), listeners, pending);

    @AfterEach
    void close() {
        pending.close();
    }

    @Test
    void anOutcomeThatWasRecordedThoughTheRepliesAreLostIsNoLossWhenItsHoldIsRefused() {
        Lease lease = lease();
        store.losingReplies(Verb.COMPLETE, 2);

        recorder.end(lease, OperationPolicy.DEFAULT, new ExecutionEnd.Complete(Outcome.tombstone("ended")));

        await().until(() -> listener.events().contains("recorded TOMBSTONE"));
        assertThat(store.calls(Verb.HOLD)).isEqualTo(1);
        assertThat(listener.events()).doesNotContain("held");
    }

    private Lease lease() {
        ClaimRequest request = ClaimRequest.of(
                Identity.of("shop", "pay", null, "k"),
                Fingerprint.none(),
                OwnerToken.random(),
                OperationPolicy.DEFAULT.withLease(MAX_DURATION));
        Claim claim = ((ClaimOutcome.Granted) store.claim(request)).claim();
        return new Lease(claim, MAX_DURATION, 0, MAX_DURATION::toNanos);
    }
}
