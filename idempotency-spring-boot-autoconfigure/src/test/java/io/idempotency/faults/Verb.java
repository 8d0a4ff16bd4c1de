package io.idempotency.faults;

import static org.awaitility.Awaitility.await;

import io.idempotency.core.Claim;
import io.idempotency.core.ClaimOutcome;
import io.idempotency.core.ClaimRequest;
import io.idempotency.core.Fingerprint;
import io.idempotency.core.IdempotencyStore;
import io.idempotency.core.Identity;
import io.idempotency.core.OnAbandoned;
import io.idempotency.core.Outcome;
import io.idempotency.core.OwnerToken;
import io.idempotency.core.Ownership;
import io.idempotency.core.RecordState;
import io.idempotency.core.Renewal;
import io.idempotency.core.Resolution;
import io.idempotency.core.StepIdentity;
import io.idempotency.core.StepRecord;
import io.idempotency.core.StepState;
import io.idempotency.core.StepStore;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The verbs of a store, a claim once for each state that it is granted in. */
enum Verb {
    CLAIM(null, RecordState.IN_PROGRESS, 1),
    CLAIM_AFTER_RELEASE(RecordState.RETRYABLE, RecordState.IN_PROGRESS, 2),
    TAKEOVER(RecordState.IN_PROGRESS, RecordState.IN_PROGRESS, 2),
    RENEW(RecordState.IN_PROGRESS, RecordState.IN_PROGRESS, 1),
    COMPLETE(RecordState.IN_PROGRESS, RecordState.COMPLETED, 1),
    RELEASE(RecordState.IN_PROGRESS, RecordState.RETRYABLE, 1),
    HOLD(RecordState.IN_PROGRESS, RecordState.IN_DOUBT, 1),
    RESOLVE(RecordState.IN_DOUBT, RecordState.COMPLETED, 1),
    FIND(RecordState.IN_PROGRESS, RecordState.IN_PROGRESS, 1),
    RECORD_STEP(RecordState.IN_PROGRESS, RecordState.IN_PROGRESS, 1),
    FORGET_STEP(RecordState.IN_PROGRESS, RecordState.IN_PROGRESS, 1);

    private static final Duration HOUR = Duration.ofHours(1);

    private static final Outcome OUTCOME = Outcome.tombstone("recorded under faults");

    private static final StepRecord STEP =
            new StepRecord(StepIdentity.of("charge", null), StepState.DONE, Fingerprint.of("arguments"), 1, OUTCOME);

    /** The state that the verb starts from; {@code null} where there is no record. */
    final @Nullable RecordState before;

    final RecordState after;

    /** The attempt once the verb is applied. */
    final long attempt;

    Verb(@Nullable RecordState before, RecordState after, long attempt) {
        this.before = before;
        this.after = after;
        this.attempt = attempt;
    }

    /**
     * Who sends a verb about what.
     *
     * @param owner sends the verb
     * @param earlier held the claim before, where somebody did
     */
    record Sender(Identity identity, OwnerToken owner, OwnerToken earlier) {

        static Sender random() {
            Identity identity =
                    Identity.of("faults", "verb", null, UUID.randomUUID().toString());
            return new Sender(identity, OwnerToken.random(), OwnerToken.random());
        }

        Claim claim() {
            return new Claim(identity, owner, 1, HOUR);
        }

        ClaimRequest request() {
            return request(owner, HOUR);
        }

        private ClaimRequest request(OwnerToken token, Duration lease) {
            return new ClaimRequest(identity, Fingerprint.of("asked"), token, lease, HOUR, OnAbandoned.RETRY);
        }
    }

    /** Brings the record into the state that the verb starts from. */
    void arrange(IdempotencyStore store, Sender sender) {
        switch (this) {
            case CLAIM -> {}
            case CLAIM_AFTER_RELEASE -> {
                store.claim(sender.request(sender.earlier(), HOUR));
                store.release(new Claim(sender.identity(), sender.earlier(), 1, HOUR), HOUR);
            }
            case TAKEOVER -> {
                store.claim(sender.request(sender.earlier(), Duration.ofMillis(1)));
                awaitEndOfLease(store, sender.identity());
            }
            case RENEW, COMPLETE, RELEASE, HOLD, FIND, RECORD_STEP -> store.claim(sender.request());
            case FORGET_STEP -> {
                store.claim(sender.request());
                ((StepStore) store).recordStep(sender.claim(), STEP);
            }
            case RESOLVE -> {
                store.claim(sender.request());
                store.hold(sender.claim());
            }
        }
    }

    private static void awaitEndOfLease(IdempotencyStore store, Identity identity) {
        await().pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(2))
                .until(() -> store.find(identity).orElseThrow().remainingLease().compareTo(Duration.ZERO) <= 0);
    }

    /** Sends the verb and says whether the answer is that it stands as the sender asked. */
    boolean send(IdempotencyStore store, Sender sender) {
        Claim claim = sender.claim();
        return switch (this) {
            case CLAIM, CLAIM_AFTER_RELEASE, TAKEOVER ->
                store.claim(sender.request()) instanceof ClaimOutcome.Granted granted
                        && granted.claim().attempt() == attempt;
            case RENEW -> store.renew(List.of(claim)).get(claim) == Renewal.RENEWED;
            case COMPLETE -> store.complete(claim, OUTCOME, HOUR) == Ownership.OWNED;
            case RELEASE -> store.release(claim, HOUR) == Ownership.OWNED;
            case HOLD -> store.hold(claim) == Ownership.OWNED;
            case RESOLVE -> store.resolve(sender.identity(), 1, new Resolution.Complete(OUTCOME, HOUR));
            case FIND -> store.find(sender.identity()).isPresent();
            case RECORD_STEP -> ((StepStore) store).recordStep(claim, STEP) == Ownership.OWNED;
            case FORGET_STEP -> ((StepStore) store).forgetStep(claim, STEP.step()) == Ownership.OWNED;
        };
    }

    /** Returns the steps that are recorded once the verb is applied, and those before; empty if it is not about steps. */
    Optional<List<StepIdentity>> steps(boolean applied) {
        return switch (this) {
            case RECORD_STEP -> Optional.of(applied ? List.of(STEP.step()) : List.of());
            case FORGET_STEP -> Optional.of(applied ? List.of() : List.of(STEP.step()));
            default -> Optional.empty();
        };
    }

    /** Returns the steps that are recorded of a claim in progress. */
    static List<StepIdentity> recordedSteps(IdempotencyStore store, Sender sender) {
        return ((ClaimOutcome.Granted) store.claim(sender.request()))
                .steps().stream().map(StepRecord::step).toList();
    }

    /** Says whether the same answer comes again when the verb is sent again after it was applied. */
    boolean isRepeatable() {
        // A doubt that is resolved is none any more.
        return this != RESOLVE;
    }

    /** Which of its requests is the one that writes. */
    int writingRequest(StoreAddress.Kind kind) {
        return switch (kind) {
            case REDIS -> 1;
            case POSTGRES -> this == CLAIM_AFTER_RELEASE || this == TAKEOVER ? 2 : 1;
            case MARIADB ->
                switch (this) {
                    case CLAIM, CLAIM_AFTER_RELEASE, TAKEOVER, RECORD_STEP -> 2;
                    default -> 1;
                };
        };
    }
}
