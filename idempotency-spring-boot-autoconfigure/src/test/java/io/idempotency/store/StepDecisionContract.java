package io.idempotency.store;

import static io.idempotency.store.StepFixture.done;
import static io.idempotency.store.StepFixture.running;
import static io.idempotency.store.StoreFixture.request;
import static io.idempotency.store.StoreFixture.together;
import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.core.Claim;
import io.idempotency.core.Identity;
import io.idempotency.core.Ownership;
import io.idempotency.core.RecordState;
import io.idempotency.core.Resolution;
import io.idempotency.core.StepIdentity;
import io.idempotency.core.StepRecord;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/** What an operator decides about steps. */
interface StepDecisionContract extends StepFixture {

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
    default void anOperatorForgetsTheStepsThatHaveNoEndOnlyIfALateOwnerHasNotReleasedThemFirst() {
        for (Identity identity : newIdentities()) {
            Claim claim = granted(identity);
            StepRecord running = running(CHARGE, claim.attempt());
            steps().recordStep(claim, running);
            store().hold(claim);

            Callable<Boolean> operator =
                    () -> store().resolve(identity, claim.attempt(), new Resolution.Retry(RETENTION));
            Callable<Boolean> owner = () -> store().release(claim, RETENTION) == Ownership.OWNED;
            List<Boolean> decided = together(List.of(operator, operator, operator, owner));

            assertThat(decided).containsOnlyOnce(true);
            boolean released = decided.get(3);
            assertSteps(request(identity), released ? new StepRecord[] {running} : new StepRecord[0]);
        }
    }
}
