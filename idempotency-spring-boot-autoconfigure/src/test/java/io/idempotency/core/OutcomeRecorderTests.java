package io.idempotency.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idempotency.core.FaultyStore.Verb;
import io.idempotency.store.memory.InMemoryIdempotencyStore;
import java.lang.ref.WeakReference;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Consumer;
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

        recorder.end(lease, OperationPolicy.DEFAULT, new ExecutionEnd.Complete(outcome()));

        await().until(() -> listener.events().contains("recorded VALUE"));
        assertThat(store.calls(Verb.HOLD)).isEqualTo(1);
        assertThat(listener.events()).doesNotContain("held");
        assertThat(claim())
                .isInstanceOfSatisfying(
                        ClaimOutcome.Completed.class,
                        completed -> assertThat(completed.outcome().text()).isEqualTo("a value"));
    }

    @Test
    void anOutcomeThatIsLeftInDoubtIsNotKeptInMemory() {
        Lease lease = lease();
        store.failing(Verb.COMPLETE, Integer.MAX_VALUE).failing(Verb.HOLD, Integer.MAX_VALUE);

        assertThatIsNotKept(
                outcome -> recorder.end(lease, OperationPolicy.DEFAULT, new ExecutionEnd.Complete(outcome)));

        store.healed();
        await().until(() -> listener.events().contains("held"));
    }

    @Test
    void anOutcomeOfAnUnknownCommitIsNotKeptInMemoryWhileTheStoreCannotTellOfIt() {
        Lease lease = lease();
        store.failing(Verb.RELEASE, Integer.MAX_VALUE);

        assertThatIsNotKept(outcome -> recorder.endUnlessCommitted(lease, OperationPolicy.DEFAULT, outcome));

        store.healed();
        await().until(() -> listener.events().contains("released"));
    }

    private static void assertThatIsNotKept(Consumer<Outcome> recording) {
        WeakReference<Outcome> recorded = recorded(recording);
        await().until(() -> {
            System.gc();
            return recorded.refersTo(null);
        });
    }

    private static WeakReference<Outcome> recorded(Consumer<Outcome> recording) {
        Outcome outcome = outcome();
        recording.accept(outcome);
        return new WeakReference<>(outcome);
    }

    private static Outcome outcome() {
        return new Outcome(Outcome.Kind.VALUE, "text/1", "a value".getBytes(StandardCharsets.UTF_8));
    }

    private Lease lease() {
        Claim claim = ((ClaimOutcome.Granted) claim()).claim();
        return new Lease(claim, MAX_DURATION, 0, MAX_DURATION::toNanos);
    }

    private ClaimOutcome claim() {
        return store.claim(ClaimRequest.of(
                Identity.of("shop", "pay", null, "k"),
                Fingerprint.none(),
                OwnerToken.random(),
                OperationPolicy.DEFAULT.withLease(MAX_DURATION)));
    }
}
