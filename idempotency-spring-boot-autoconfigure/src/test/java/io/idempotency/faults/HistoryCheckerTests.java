package io.idempotency.faults;

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
import io.idempotency.core.Renewal;
import io.idempotency.core.StepIdentity;
import io.idempotency.core.StepRecord;
import io.idempotency.core.StepState;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Histories that are written by hand; their times are milliseconds and each lease lives for 100. */
@Tag("faults")
class HistoryCheckerTests {

    private static final Identity IDENTITY = Identity.of("history", "operation", null, "key");

    private static final Duration LEASE = Duration.ofMillis(100);

    private static final Duration RETENTION = Duration.ofMillis(200);

    private static final Duration LIFETIME = Duration.ofHours(1);

    private static final StepIdentity CHARGE = StepIdentity.of("charge", null);

    private static final OwnerToken ADA = OwnerToken.random();

    private static final OwnerToken BOB = OwnerToken.random();

    @Test
    void anExecutionAndItsReplayAreAllowed() {
        assertThatAllowed(
                claim(ADA, 0, 1, grant(1)),
                complete(ADA, "a", 50, 51, Ownership.OWNED),
                claim(BOB, 60, 61, new RecordModel.Replay("a", 1)));
    }

    @Test
    void twoGrantsOfOneAttemptAreNot() {
        assertThatRefused(claim(ADA, 0, 10, grant(1)), claim(BOB, 5, 15, grant(1)));
    }

    @Test
    void aTakeoverIsAllowedOnlyOnceTheLeaseMayBeOver() {
        HistoryEvent first = claim(ADA, 0, 20, grant(1));

        assertThatRefused(first, claim(BOB, 60, 80, takeover(2)));
        assertThatAllowed(first, claim(BOB, 60, 110, takeover(2)));
    }

    @Test
    void aClaimIsInProgressOnlyWhileTheLeaseMayRun() {
        HistoryEvent first = claim(ADA, 0, 20, grant(1));

        assertThatAllowed(first, claim(BOB, 110, 120, inProgress(5)));
        assertThatRefused(first, claim(BOB, 140, 150, inProgress(5)));
        assertThatRefused(first, claim(BOB, 40, 50, inProgress(10)));
    }

    @Test
    void aStaleOwnerIsTold() {
        HistoryEvent first = claim(ADA, 0, 1, grant(1));
        HistoryEvent second = claim(BOB, 110, 111, takeover(2));

        assertThatAllowed(first, second, complete(ADA, "a", 120, 121, Ownership.LOST));
        assertThatRefused(first, second, complete(ADA, "a", 120, 121, Ownership.OWNED));
        assertThatRefused(first, second, renew(ADA, 120, 121, Renewal.RENEWED));
        assertThatAllowed(first, second, renew(BOB, 120, 121, Renewal.RENEWED));
    }

    @Test
    void whatFailedMayHaveBeenAppliedLateOrNever() {
        HistoryEvent first = claim(ADA, 0, 1, grant(1));
        HistoryEvent failed = complete(ADA, "a", 10, HistoryEvent.NEVER, null);

        assertThatAllowed(first, failed, claim(BOB, 20, 21, new RecordModel.Replay("a", 1)));
        assertThatAllowed(first, failed, claim(BOB, 20, 21, inProgress(80)));
        assertThatAllowed(
                first, failed, claim(BOB, 20, 21, inProgress(80)), claim(BOB, 30, 31, new RecordModel.Replay("a", 1)));
        assertThatRefused(
                first, failed, claim(BOB, 20, 21, new RecordModel.Replay("a", 1)), claim(BOB, 30, 31, inProgress(70)));
    }

    @Test
    void anOutcomeIsNeitherChangedNorForgottenTooEarly() {
        HistoryEvent first = claim(ADA, 0, 1, grant(1));
        HistoryEvent completed = complete(ADA, "a", 10, 11, Ownership.OWNED);

        assertThatRefused(first, completed, claim(BOB, 20, 21, new RecordModel.Replay("b", 1)));
        assertThatRefused(first, completed, claim(BOB, 150, 151, grant(2)));
        assertThatAllowed(first, completed, claim(BOB, 215, 216, grant(2)));
        assertThatAllowed(first, completed, claim(BOB, 215, 216, grant(1)));
    }

    @Test
    void anotherFingerprintIsAMismatchInEveryStateThatBindsIt() {
        HistoryEvent first = claim(ADA, 0, 1, grant(1));

        assertThatAllowed(first, claim(BOB, "else", 10, 11, new ClaimOutcome.Mismatch()));
        assertThatRefused(first, claim(BOB, "else", 10, 11, inProgress(90)));
        assertThatRefused(first, claim(BOB, "else", 110, 111, takeover(2)));
    }

    @Test
    void aStepOfTheOwnerIsBroughtByEveryLaterClaim() {
        HistoryEvent first = claim(ADA, 0, 1, grant(1));
        HistoryEvent recorded = record(ADA, "charged", 10, 11, Ownership.OWNED);

        assertThatAllowed(first, recorded, claim(BOB, 110, 111, takeover(2, "charged")));
        assertThatRefused(first, recorded, claim(BOB, 110, 111, takeover(2)));
        assertThatRefused(first, recorded, claim(BOB, 110, 111, takeover(2, "charged otherwise")));
        assertThatRefused(first, claim(BOB, 110, 111, takeover(2, "charged")));
    }

    @Test
    void aStepOfAStaleOwnerIsRefused() {
        HistoryEvent first = claim(ADA, 0, 1, grant(1));
        HistoryEvent second = claim(BOB, 110, 111, takeover(2));

        assertThatAllowed(first, second, record(ADA, "charged", 120, 121, Ownership.LOST));
        assertThatRefused(first, second, record(ADA, "charged", 120, 121, Ownership.OWNED));
    }

    @Test
    void aStepWhoseReplyWasLostIsBroughtOrNot() {
        HistoryEvent first = claim(ADA, 0, 1, grant(1));
        HistoryEvent recorded = record(ADA, "charged", 10, HistoryEvent.NEVER, null);

        assertThatAllowed(first, recorded, claim(BOB, 110, 111, takeover(2, "charged")));
        assertThatAllowed(first, recorded, claim(BOB, 110, 111, takeover(2)));
    }

    @Test
    void stepsBindARetryableRecordAndGoWhenItExpires() {
        HistoryEvent first = claim(ADA, 0, 1, grant(1));
        HistoryEvent recorded = record(ADA, "charged", 10, 11, Ownership.OWNED);
        HistoryEvent released = release(ADA, 20, 21);

        assertThatAllowed(first, recorded, released, claim(BOB, "else", 30, 31, new ClaimOutcome.Mismatch()));
        assertThatRefused(first, recorded, released, claim(BOB, "else", 30, 31, grant(2)));
        assertThatAllowed(first, recorded, released, claim(BOB, 240, 241, grant(2)));
        assertThatRefused(first, recorded, released, claim(BOB, 240, 241, grant(2, "charged")));
    }

    private static void assertThatAllowed(HistoryEvent... events) {
        assertThat(HistoryChecker.violation(List.of(events))).isEmpty();
    }

    private static void assertThatRefused(HistoryEvent... events) {
        assertThat(HistoryChecker.violation(List.of(events))).isPresent();
    }

    private static Object grant(long attempt, String... steps) {
        return new RecordModel.Grant(attempt, false, done(steps));
    }

    private static Object takeover(long attempt, String... steps) {
        return new RecordModel.Grant(attempt, true, done(steps));
    }

    private static RecordedSteps done(String... results) {
        return RecordedSteps.of(
                Stream.of(results).map(HistoryCheckerTests::charged).toList());
    }

    private static StepRecord charged(String result) {
        return new StepRecord(CHARGE, StepState.DONE, Fingerprint.none(), 1, Outcome.tombstone(result));
    }

    private static Object inProgress(long remaining) {
        return new ClaimOutcome.InProgress(Duration.ofMillis(remaining));
    }

    private static HistoryEvent claim(OwnerToken owner, long from, long to, Object answer) {
        return claim(owner, "asked", from, to, answer);
    }

    private static HistoryEvent claim(OwnerToken owner, String asked, long from, long to, Object answer) {
        ClaimRequest request =
                new ClaimRequest(IDENTITY, Fingerprint.of(asked), owner, LEASE, LIFETIME, OnAbandoned.RETRY);
        return event(new HistoryRequest.ToClaim(request), from, to, answer);
    }

    private static HistoryEvent renew(OwnerToken owner, long from, long to, Object answer) {
        return event(new HistoryRequest.ToRenew(new Claim(IDENTITY, owner, 0, LEASE)), from, to, answer);
    }

    private static HistoryEvent complete(
            OwnerToken owner, String outcome, long from, long to, @Nullable Object answer) {
        Claim claim = new Claim(IDENTITY, owner, 0, LEASE);
        return event(new HistoryRequest.ToComplete(claim, Outcome.tombstone(outcome), RETENTION), from, to, answer);
    }

    private static HistoryEvent release(OwnerToken owner, long from, long to) {
        Claim claim = new Claim(IDENTITY, owner, 0, LEASE);
        return event(new HistoryRequest.ToRelease(claim, RETENTION), from, to, Ownership.OWNED);
    }

    private static HistoryEvent record(OwnerToken owner, String result, long from, long to, @Nullable Object answer) {
        Claim claim = new Claim(IDENTITY, owner, 0, LEASE);
        return event(new HistoryRequest.ToRecordStep(claim, charged(result)), from, to, answer);
    }

    private static HistoryEvent event(HistoryRequest request, long from, long to, @Nullable Object answer) {
        long answeredAt = to == HistoryEvent.NEVER ? to : TimeUnit.MILLISECONDS.toNanos(to);
        return new HistoryEvent(request, TimeUnit.MILLISECONDS.toNanos(from), answeredAt, answer, false, false);
    }
}
