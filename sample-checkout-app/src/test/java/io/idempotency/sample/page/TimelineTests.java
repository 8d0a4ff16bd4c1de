package io.idempotency.sample.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.core.Claim;
import io.idempotency.core.FingerprintMismatchException;
import io.idempotency.core.IdempotencyStoreException;
import io.idempotency.core.Identity;
import io.idempotency.core.OperationInDoubtException;
import io.idempotency.core.OperationInProgressException;
import io.idempotency.core.Outcome;
import io.idempotency.core.OwnerToken;
import io.idempotency.core.StepIdentity;
import io.idempotency.sample.page.TimelineEntry.Kind;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class TimelineTests {

    private static final Identity CHECKOUT = Identity.of("shop", "checkout", null, "a secret key");

    private static final Claim FIRST = new Claim(CHECKOUT, OwnerToken.random(), 1, Duration.ofSeconds(30));

    private static final Claim SECOND = new Claim(CHECKOUT, OwnerToken.random(), 2, Duration.ofSeconds(30));

    private final Timeline timeline = new Timeline();

    @Test
    void tellsWhatHappenedInItsOrder() {
        timeline.executionStarted(FIRST, false);
        timeline.stepStarted(FIRST, StepIdentity.of("charge_card", null));
        timeline.stepRecorded(FIRST, StepIdentity.of("charge_card", null));
        timeline.stepStarted(FIRST, StepIdentity.of("send_email", null));
        timeline.stepFailed(FIRST, StepIdentity.of("send_email", null));
        timeline.claimReleased(FIRST);
        timeline.executionStarted(SECOND, true);
        timeline.stepSkipped(SECOND, StepIdentity.of("charge_card", null));
        timeline.callWaiting(CHECKOUT);
        timeline.outcomeRecorded(SECOND, Outcome.Kind.VALUE);
        timeline.outcomeReplayed(CHECKOUT, Outcome.Kind.VALUE);
        timeline.claimHeld(SECOND);
        timeline.leaseLost(FIRST);

        assertThat(timeline.after(0))
                .extracting(entry -> "%d %s %s".formatted(entry.attempt(), entry.kind(), entry.step()))
                .containsExactly(
                        "1 STARTED null",
                        "1 STEP_STARTED charge_card",
                        "1 STEP_RECORDED charge_card",
                        "1 STEP_STARTED send_email",
                        "1 STEP_FAILED send_email",
                        "1 RELEASED null",
                        "2 TAKEN_OVER null",
                        "2 STEP_SKIPPED charge_card",
                        "0 WAITING null",
                        "2 RECORDED null",
                        "0 REPLAYED null",
                        "2 HELD null",
                        "1 LOST null");
    }

    @Test
    void tellsWhyACallWasRefused() {
        timeline.callRefused(CHECKOUT, new OperationInProgressException(CHECKOUT, Duration.ofSeconds(1)));
        timeline.callRefused(CHECKOUT, new FingerprintMismatchException(CHECKOUT));
        timeline.callRefused(CHECKOUT, new OperationInDoubtException(CHECKOUT, 1));
        timeline.callRefused(CHECKOUT, new IdempotencyStoreException("The store does not answer", null));

        assertThat(timeline.after(0))
                .extracting(TimelineEntry::kind)
                .containsExactly(
                        Kind.REFUSED_IN_PROGRESS, Kind.REFUSED_OTHER_CONTENT, Kind.REFUSED, Kind.REFUSED_WITHOUT_STORE);
    }

    @Test
    void tellsWhatCameSince() {
        timeline.executionStarted(FIRST, false);
        long seen = timeline.after(0).get(0).number();
        timeline.outcomeRecorded(FIRST, Outcome.Kind.VALUE);

        assertThat(timeline.after(seen)).extracting(TimelineEntry::kind).containsExactly(Kind.RECORDED);
    }

    @Test
    void tellsAllOfItToWhoKnewAnotherNode() {
        timeline.executionStarted(FIRST, false);

        assertThat(timeline.after(1)).isEmpty();
        assertThat(timeline.after(1_000)).hasSize(1);
    }

    @Test
    void forgetsTheOldest() {
        for (int call = 0; call < Timeline.KEPT + 10; call++) {
            timeline.outcomeReplayed(CHECKOUT, Outcome.Kind.VALUE);
        }

        List<TimelineEntry> entries = timeline.after(0);
        assertThat(entries).hasSize(Timeline.KEPT);
        assertThat(entries.get(0).number()).isEqualTo(11);
    }

    @Test
    void showsNoKey() {
        timeline.outcomeReplayed(CHECKOUT, Outcome.Kind.VALUE);

        assertThat(timeline.after(0).toString()).doesNotContain("secret");
    }
}
