package io.idempotency.store;

import static io.idempotency.store.StoreFixture.abandonedRequest;
import static io.idempotency.store.StoreFixture.outcome;
import static io.idempotency.store.StoreFixture.request;
import static io.idempotency.store.StoreFixture.together;
import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.core.Claim;
import io.idempotency.core.ClaimOutcome;
import io.idempotency.core.ClaimRequest;
import io.idempotency.core.Fingerprint;
import io.idempotency.core.Identity;
import io.idempotency.core.OnAbandoned;
import io.idempotency.core.Outcome;
import io.idempotency.core.OwnerToken;
import io.idempotency.core.Ownership;
import io.idempotency.core.RecordState;
import io.idempotency.core.Resolution;
import io.idempotency.core.StepIdentity;
import io.idempotency.core.StepRecord;
import io.idempotency.core.StepState;
import io.idempotency.core.StepStore;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What is recorded of the steps of an operation, by whom, and for how long. */
interface StepContract extends StoreFixture {

    StepIdentity CHARGE = StepIdentity.of("charge", null);

    StepIdentity MAIL = StepIdentity.of("mail", "someone");

    Fingerprint ARGUMENTS = Fingerprint.of("arguments");

    @Test
    default void aRecordedStepComesAlongWithTheNextClaim() {
        Identity identity = newIdentity();
        Claim claim = granted(identity);
        StepRecord done = done(CHARGE, "a receipt");

        assertThat(steps().recordStep(claim, done)).isEqualTo(Ownership.OWNED);

        store().release(claim, RETENTION);
        assertSteps(request(identity), done);
    }

    @Test
    default void aFirstClaimBringsNoSteps() {
        assertThat(grant(request(newIdentity())).steps()).isEmpty();
    }

    @Test
    default void aStepSurvivesItsHolder() {
        Identity identity = newIdentity();
        Claim claim = granted(abandonedRequest(identity, OnAbandoned.RETRY));
        StepRecord done = done(CHARGE, "a receipt");
        steps().recordStep(claim, done);
        awaitEndOfLease(identity);

        assertSteps(request(identity), done);
    }

    @Test
    default void aClaimThatIsSentAgainBringsItsSteps() {
        Identity identity = newIdentity();
        ClaimRequest request = request(identity);
        StepRecord done = done(CHARGE, "a receipt");
        steps().recordStep(granted(request), done);

        assertSteps(request, done);
    }

    @Test
    default void stepsOfOneNameAreToldApartByTheirItems() {
        Identity identity = newIdentity();
        Claim claim = granted(identity);
        StepRecord first = done(StepIdentity.of("ship", "1"), "one");
        StepRecord second = done(StepIdentity.of("ship", "2"), "two");
        StepRecord withoutItem = done(StepIdentity.of("ship", null), "none");
        StepRecord withEmptyItem = done(StepIdentity.of("ship", ""), "empty");

        for (StepRecord step : List.of(first, second, withoutItem, withEmptyItem)) {
            steps().recordStep(claim, step);
        }

        store().release(claim, RETENTION);
        assertSteps(request(identity), first, second, withoutItem, withEmptyItem);
    }

    @Test
    default void aStepThatRunsIsRecordedAsSuch() {
        Identity identity = newIdentity();
        Claim claim = granted(identity);
        StepRecord running = running(CHARGE, claim.attempt());

        steps().recordStep(claim, running);

        store().release(claim, RETENTION);
        assertSteps(request(identity), running);
    }

    @Test
    default void whatIsRecordedLaterTakesThePlaceOfWhatWasRecordedBefore() {
        Identity identity = newIdentity();
        Claim claim = granted(identity);
        steps().recordStep(claim, running(CHARGE, claim.attempt()));
        StepRecord done = done(CHARGE, "a receipt");

        assertThat(steps().recordStep(claim, done)).isEqualTo(Ownership.OWNED);

        store().release(claim, RETENTION);
        assertSteps(request(identity), done);
    }

    @Test
    default void theNextAttemptMayRecordTheSameStep() {
        Identity identity = newIdentity();
        Claim first = granted(identity);
        steps().recordStep(first, running(CHARGE, first.attempt()));
        store().release(first, RETENTION);
        Claim second = granted(identity);
        StepRecord done = new StepRecord(CHARGE, StepState.DONE, ARGUMENTS, second.attempt(), outcome("a receipt"));

        assertThat(steps().recordStep(second, done)).isEqualTo(Ownership.OWNED);

        store().release(second, RETENTION);
        assertSteps(request(identity), done);
    }

    @Test
    default void recordingAStepAgainIsOwned() {
        Identity identity = newIdentity();
        Claim claim = granted(identity);
        StepRecord done = done(CHARGE, "a receipt");
        steps().recordStep(claim, done);

        assertThat(steps().recordStep(claim, done)).isEqualTo(Ownership.OWNED);

        store().release(claim, RETENTION);
        assertSteps(request(identity), done);
    }

    @Test
    default void aForgottenStepIsGone() {
        Identity identity = newIdentity();
        Claim claim = granted(identity);
        StepRecord kept = done(MAIL, "sent");
        steps().recordStep(claim, running(CHARGE, claim.attempt()));
        steps().recordStep(claim, kept);

        assertThat(steps().forgetStep(claim, CHARGE)).isEqualTo(Ownership.OWNED);
        assertThat(steps().forgetStep(claim, CHARGE)).isEqualTo(Ownership.OWNED);

        store().release(claim, RETENTION);
        assertSteps(request(identity), kept);
    }

    @Test
    default void aStaleOwnerCannotRecordOrForgetAStep() {
        Identity identity = newIdentity();
        Claim stale = granted(abandonedRequest(identity, OnAbandoned.RETRY));
        StepRecord kept = done(MAIL, "sent");
        steps().recordStep(stale, kept);
        awaitEndOfLease(identity);
        Claim successor = granted(identity);

        assertThat(steps().recordStep(stale, done(CHARGE, "a receipt"))).isEqualTo(Ownership.LOST);
        assertThat(steps().recordStep(stale, done(MAIL, "sent twice"))).isEqualTo(Ownership.LOST);
        assertThat(steps().forgetStep(stale, MAIL)).isEqualTo(Ownership.LOST);

        store().release(successor, RETENTION);
        assertSteps(request(identity), kept);
    }

    @Test
    default void nobodyCanRecordAStepOfWhatHasEnded() {
        Claim completed = completed(newIdentity());
        Claim released = released(newIdentity());
        Claim held = held(newIdentity());
        Claim missing = new Claim(newIdentity(), OwnerToken.random(), 1, LEASE);

        for (Claim ended : List.of(completed, released, held, missing)) {
            assertThat(steps().recordStep(ended, done(CHARGE, "a receipt"))).isEqualTo(Ownership.LOST);
            assertThat(steps().forgetStep(ended, CHARGE)).isEqualTo(Ownership.LOST);
        }

        assertThat(store().find(missing.identity())).isEmpty();
        assertSteps(request(released.identity()));
    }

    @Test
    default void anOwnerWhoseLeaseIsOverButNotTakenOverCanRecordAStep() {
        Identity identity = newIdentity();
        Claim claim = abandoned(identity);

        assertThat(steps().recordStep(claim, done(CHARGE, "a receipt"))).isEqualTo(Ownership.OWNED);
    }

    @Test
    default void stepsBindARetryableRecordToItsFingerprint() {
        Identity identity = newIdentity();
        Claim claim = granted(identity);
        steps().recordStep(claim, done(CHARGE, "a receipt"));
        store().release(claim, RETENTION);

        assertThat(store().claim(request(identity, ASKED_OTHERWISE))).isInstanceOf(ClaimOutcome.Mismatch.class);

        assertThat(granted(request(identity)).attempt()).isEqualTo(2);
    }

    @Test
    default void stepsStayBoundOverSeveralAttempts() {
        Identity identity = newIdentity();
        Claim claim = granted(identity);
        StepRecord done = done(CHARGE, "a receipt");
        steps().recordStep(claim, done);
        store().release(claim, RETENTION);
        store().release(granted(identity), RETENTION);

        assertThat(store().claim(request(identity, ASKED_OTHERWISE))).isInstanceOf(ClaimOutcome.Mismatch.class);
        assertSteps(request(identity), done);
    }

    @Test
    default void anExpiredRecordForgetsItsSteps() {
        Identity identity = newIdentity();
        Claim claim = granted(identity);
        steps().recordStep(claim, done(CHARGE, "a receipt"));
        store().release(claim, Duration.ofMillis(1));
        awaitExpiry(identity);

        ClaimOutcome.Granted next = grant(request(identity, ASKED_OTHERWISE));

        assertThat(next.steps()).isEmpty();
        StepRecord anew = done(CHARGE, "another receipt");
        steps().recordStep(next.claim(), anew);
        store().release(next.claim(), RETENTION);
        assertSteps(request(identity, ASKED_OTHERWISE), anew);
    }

    @Test
    default void recordingAStepKeepsLeaseAndLifetime() {
        Identity identity = newIdentity();
        Claim claim = granted(identity);

        steps().recordStep(claim, done(CHARGE, "a receipt"));

        assertThat(find(identity).remainingLease()).isBetween(LEASE.dividedBy(2), LEASE);
        assertThat(store().complete(claim, OUTCOME, RETENTION)).isEqualTo(Ownership.OWNED);
        assertReplays(identity, OUTCOME, 1);
    }

    @Test
    default void anOperatorWhoLetsAnOperationBeRetriedForgetsTheStepsThatHaveNoEnd() {
        Identity identity = newIdentity();
        Claim claim = granted(identity);
        StepRecord kept = done(MAIL, "sent");
        steps().recordStep(claim, kept);
        steps().recordStep(claim, running(CHARGE, claim.attempt()));
        store().hold(claim);

        assertThat(store().resolve(identity, claim.attempt(), new Resolution.Retry(RETENTION)))
                .isTrue();

        assertSteps(request(identity), kept);
    }

    @Test
    default void anOperatorGivesADoubtfulStepItsResult() {
        Identity identity = newIdentity();
        Claim claim = granted(identity);
        StepRecord charge = running(CHARGE, claim.attempt());
        steps().recordStep(claim, charge);
        steps().recordStep(claim, running(MAIL, claim.attempt()));
        store().hold(claim);

        assertThat(steps().resolveStep(identity, claim.attempt(), CHARGE, OUTCOME))
                .isTrue();

        assertThat(store().find(identity).orElseThrow().state()).isEqualTo(RecordState.IN_DOUBT);
        assertThat(store().resolve(identity, claim.attempt(), new Resolution.Retry(RETENTION)))
                .isTrue();
        assertSteps(request(identity), charge.done(OUTCOME));
    }

    @Test
    default void onlyADoubtfulStepIsGivenAResultAndOnlyOnce() {
        Identity identity = newIdentity();
        Claim claim = granted(identity);
        StepRecord done = done(MAIL, "sent");
        steps().recordStep(claim, running(CHARGE, claim.attempt()));
        steps().recordStep(claim, done);
        assertThat(steps().resolveStep(identity, claim.attempt(), CHARGE, OUTCOME))
                .isFalse();
        store().hold(claim);

        assertThat(steps().resolveStep(identity, claim.attempt() + 1, CHARGE, OUTCOME))
                .isFalse();
        assertThat(steps().resolveStep(identity, claim.attempt(), MAIL, OUTCOME))
                .isFalse();
        assertThat(steps().resolveStep(identity, claim.attempt(), StepIdentity.of("unknown", null), OUTCOME))
                .isFalse();
        assertThat(steps().resolveStep(newIdentity(), 1, CHARGE, OUTCOME)).isFalse();
        assertThat(steps().resolveStep(identity, claim.attempt(), CHARGE, OUTCOME))
                .isTrue();
        assertThat(steps().resolveStep(identity, claim.attempt(), CHARGE, OTHER_OUTCOME))
                .isFalse();

        store().resolve(identity, claim.attempt(), new Resolution.Retry(RETENTION));
        assertSteps(request(identity), running(CHARGE, claim.attempt()).done(OUTCOME), done);
    }

    @Test
    default void anOperatorWhoseViewIsOldForgetsNothing() {
        Identity identity = newIdentity();
        Claim claim = granted(identity);
        StepRecord running = running(CHARGE, claim.attempt());
        steps().recordStep(claim, running);
        store().release(claim, RETENTION);

        assertThat(store().resolve(identity, claim.attempt(), new Resolution.Retry(RETENTION)))
                .isFalse();

        assertSteps(request(identity), running);
    }

    @Test
    default void stepsMayBeRecordedAtTheSameTime() {
        Identity identity = newIdentity();
        Claim claim = granted(identity);
        StepRecord[] done = IntStream.range(0, CALLERS)
                .mapToObj(item -> done(StepIdentity.of("ship", Integer.toString(item)), "shipped"))
                .toArray(StepRecord[]::new);

        assertThat(together(Arrays.stream(done)
                        .<Callable<Ownership>>map(step -> () -> steps().recordStep(claim, step))
                        .toList()))
                .containsOnly(Ownership.OWNED);

        store().release(claim, RETENTION);
        assertSteps(request(identity), done);
    }

    @Test
    default void aResultOfManyBytesComesBack() {
        Identity identity = newIdentity();
        Claim claim = granted(identity);
        StepRecord done = new StepRecord(
                StepIdentity.of("é".repeat(StepIdentity.MAX_NAME_LENGTH), "item"),
                StepState.DONE,
                Fingerprint.none(),
                Long.MAX_VALUE,
                new Outcome(Outcome.Kind.VALUE, "bytes/1", new byte[100_000]));

        steps().recordStep(claim, done);

        store().release(claim, RETENTION);
        assertSteps(request(identity), done);
    }

    private StepStore steps() {
        return (StepStore) store();
    }

    private static StepRecord done(StepIdentity step, String result) {
        return new StepRecord(step, StepState.DONE, ARGUMENTS, 1, outcome(result));
    }

    private static StepRecord running(StepIdentity step, long attempt) {
        return new StepRecord(step, StepState.RUNNING, ARGUMENTS, attempt, null);
    }

    private void assertSteps(ClaimRequest request, StepRecord... expected) {
        assertThat(grant(request).steps())
                .extracting(StepContract::told)
                .containsExactlyInAnyOrder(
                        Arrays.stream(expected).map(StepContract::told).toArray(String[]::new));
    }

    /** Everything about a step, in a form that can be compared. */
    private static String told(StepRecord step) {
        String result =
                step.result() == null ? "none" : Arrays.toString(step.result().toBytes());
        return "%s %s %s %s %d %s"
                .formatted(step.step(), step.step().name(), step.state(), step.fingerprint(), step.attempt(), result);
    }
}
