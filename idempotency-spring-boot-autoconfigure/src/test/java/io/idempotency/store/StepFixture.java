package io.idempotency.store;

import static io.idempotency.store.StoreFixture.outcome;
import static io.idempotency.store.StoreFixture.request;
import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.core.ClaimRequest;
import io.idempotency.core.Fingerprint;
import io.idempotency.core.StepIdentity;
import io.idempotency.core.StepRecord;
import io.idempotency.core.StepState;
import io.idempotency.core.StepStore;
import java.util.Arrays;

/** Steps, and what a store tells of them. */
interface StepFixture extends StoreFixture {

    StepIdentity CHARGE = StepIdentity.of("charge", null);

    StepIdentity MAIL = StepIdentity.of("mail", "someone");

    Fingerprint ARGUMENTS = Fingerprint.of("arguments");

    default StepStore steps() {
        return (StepStore) store();
    }

    static StepRecord done(StepIdentity step, String result) {
        return new StepRecord(step, StepState.DONE, ARGUMENTS, 1, outcome(result));
    }

    static StepRecord running(StepIdentity step, long attempt) {
        return new StepRecord(step, StepState.RUNNING, ARGUMENTS, attempt, null);
    }

    default void assertSteps(ClaimRequest request, StepRecord... expected) {
        assertThat(grant(request).steps())
                .extracting(StepFixture::told)
                .containsExactlyInAnyOrder(
                        Arrays.stream(expected).map(StepFixture::told).toArray(String[]::new));
    }

    /** Everything about a step, in a form that can be compared. */
    private static String told(StepRecord step) {
        String result =
                step.result() == null ? "none" : Arrays.toString(step.result().toBytes());
        return "%s %s %s %s %d %s"
                .formatted(step.step(), step.step().name(), step.state(), step.fingerprint(), step.attempt(), result);
    }
}
