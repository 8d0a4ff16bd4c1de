package io.idempotency.core;

import java.util.Optional;
import java.util.UUID;

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
    public void failed(StepIdentity step) {}

    @Override
    public void record(StepRecord step) {}

    @Override
    public void forget(StepIdentity step) {}

    @Override
    public void doubt() {}
}
