package io.idempotency.step;

import io.idempotency.core.Fingerprint;
import io.idempotency.core.OnAbandoned;
import io.idempotency.core.OutcomeCodecFactory;
import io.idempotency.core.StepJournal;
import java.util.function.Supplier;

/** Steps over the journal of the operation that is executing. */
public final class JournaledSteps implements IdempotentSteps {

    private final StepCodecs codecs;

    private final Supplier<StepJournal> journal;

    private JournaledSteps(OutcomeCodecFactory codecs, Supplier<StepJournal> journal) {
        this.codecs = new StepCodecs(codecs);
        this.journal = journal;
    }

    /** Makes steps that are recorded. */
    public static IdempotentSteps recorded(OutcomeCodecFactory codecs) {
        return new JournaledSteps(
                codecs,
                () -> StepJournal.current()
                        .orElseThrow(() -> new IllegalStateException(
                                "A step belongs inside of an operation, but none is executing on this thread; call it below a method"
                                        + " with @Idempotent, and take the operation along to other threads by"
                                        + " IdempotencyContext.wrap")));
    }

    /** Makes steps that run straight through, for an application in which idempotency is switched off. */
    public static IdempotentSteps passedThrough(OutcomeCodecFactory codecs) {
        return new JournaledSteps(codecs, StepJournal::unrecorded);
    }

    @Override
    public StepSpec step(String name) {
        return new StepSpecification(codecs, journal, name, null, Fingerprint.none(), OnAbandoned.RETRY);
    }
}
