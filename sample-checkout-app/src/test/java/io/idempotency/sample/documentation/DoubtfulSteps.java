package io.idempotency.sample.documentation;

import io.idempotency.core.IdempotencyStore;
import io.idempotency.core.Identity;
import io.idempotency.core.Outcome;
import io.idempotency.core.OutcomeCodecFactory;
import io.idempotency.core.Resolution;
import io.idempotency.core.StepIdentity;
import io.idempotency.core.StepStore;
import java.time.Duration;

/** The example of the documentation for what an operator does about a step that is in doubt. */
class DoubtfulSteps {

    private final IdempotencyStore records;

    private final StepStore steps;

    private final OutcomeCodecFactory codecs;

    DoubtfulSteps(IdempotencyStore records, StepStore steps, OutcomeCodecFactory codecs) {
        this.records = records;
        this.steps = steps;
        this.codecs = codecs;
    }

    // snippet:resolve
    boolean wired(Identity operation, long attempt) {
        Outcome nothing = codecs.codecFor(Void.class).encode(null);
        return steps.resolveStep(operation, attempt, StepIdentity.of("wire_money", null), nothing)
                && records.resolve(operation, attempt, new Resolution.Retry(Duration.ofDays(1)));
    }
    // end:resolve
}
