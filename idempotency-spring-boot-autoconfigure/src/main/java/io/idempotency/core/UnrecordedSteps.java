package io.idempotency.core;

import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The steps of an execution without a claim: each runs, with a key of its own. */
record UnrecordedSteps(Identity operation) implements StepJournal {

    @Override
    public long attempt() {
        return 0;
    }

    @Override
    public UUID key(StepIdentity step) {
        return UUID.randomUUID();
    }

    @Override
    public Optional<StepRecord> begin(StepIdentity step) {
        return Optional.empty();
    }

    @Override
    public Optional<StepRecord> beginTransactional(StepIdentity step, TransactionSettings settings) {
        return Optional.empty();
    }

    @Override
    public <T extends @Nullable Object, E extends Throwable> T runTransactional(
            StepIdentity step,
            TransactionSettings settings,
            IdempotentWork<T, E> work,
            Function<? super T, StepRecord> record)
            throws E {
        return work.run();
    }

    @Override
    public void failed(StepIdentity step) {}

    @Override
    public void record(StepRecord step) {}

    @Override
    public void forget(StepIdentity step) {}

    @Override
    public void doubt() {}
}
