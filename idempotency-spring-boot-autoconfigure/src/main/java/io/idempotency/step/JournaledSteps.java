package io.idempotency.step;

import io.idempotency.core.Fingerprint;
import io.idempotency.core.IdempotencyOperations;
import io.idempotency.core.IdempotencyOperations.CallSpec;
import io.idempotency.core.OnAbandoned;
import io.idempotency.core.OutcomeCodecFactory;
import io.idempotency.core.PassThroughOperations;
import io.idempotency.core.StepJournal;
import java.util.Optional;
import java.util.function.Supplier;

/** Steps over the journal of the operation that is executing. */
public final class JournaledSteps implements IdempotentSteps {

    private final StepCodecs codecs;

    private final Supplier<? extends IdempotencyOperations> operations;

    private final Supplier<StepJournal> journal;

    private JournaledSteps(
            OutcomeCodecFactory codecs,
            Supplier<? extends IdempotencyOperations> operations,
            Supplier<StepJournal> journal) {
        this.codecs = new StepCodecs(codecs);
        this.operations = operations;
        this.journal = journal;
    }

    /**
     * Makes steps that are recorded.
     *
     * @param operations executes what is called by {@link #of}; asked for by the first such call
     */
    public static IdempotentSteps recorded(
            OutcomeCodecFactory codecs, Supplier<? extends IdempotencyOperations> operations) {
        return new JournaledSteps(
                codecs,
                operations,
                () -> StepJournal.current()
                        .orElseThrow(() -> new IllegalStateException(
                                "A step belongs inside of an operation, but none is executing on this thread; call it"
                                        + " below a method with @Idempotent or in the work of steps.of(operation, key), and"
                                        + " take the operation along to other threads by IdempotencyContext.wrap")));
    }

    /** Makes steps that run straight through, for an application in which idempotency is switched off. */
    public static IdempotentSteps passedThrough(OutcomeCodecFactory codecs) {
        IdempotencyOperations operations = new PassThroughOperations(codecs);
        return new JournaledSteps(codecs, () -> operations, StepJournal::unrecorded);
    }

    @Override
    public CallSpec of(String operation, String key) {
        return operations.get().operation(operation).key(key);
    }

    @Override
    public StepSpec step(String name) {
        return new StepSpecification(
                codecs, journal, name, null, Fingerprint.none(), OnAbandoned.RETRY, Optional.empty());
    }
}
