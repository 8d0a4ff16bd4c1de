package io.idempotency.store;

import static io.idempotency.store.StepFixture.done;
import static io.idempotency.store.StepFixture.running;
import static io.idempotency.store.StoreFixture.abandonedRequest;
import static io.idempotency.store.StoreFixture.outcome;
import static io.idempotency.store.StoreFixture.request;
import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.core.Claim;
import io.idempotency.core.ClaimOutcome;
import io.idempotency.core.ClaimRequest;
import io.idempotency.core.Fingerprint;
import io.idempotency.core.Identity;
import io.idempotency.core.OnAbandoned;
import io.idempotency.core.Outcome;
import io.idempotency.core.Ownership;
import io.idempotency.core.StepIdentity;
import io.idempotency.core.StepRecord;
import io.idempotency.core.StepState;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is recorded of the steps of an operation, and for how long. */
interface StepContract extends StepFixture {

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
}
