package io.idempotency.core;

import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The steps of an execution without a claim.
 *
 * @param transactions runs the transactional ones; {@code null} where idempotency is switched off, and they have no
 *     transaction but what their code opens
 */
record UnrecordedSteps(Identity operation, @Nullable UnclaimedTransactions transactions) implements StepJournal {

    @Override
    public long attempt() {
        return 0;
    }

    @Override
    public UUID key(StepIdentity step) {
        return isSwitchedOff() ? UUID.randomUUID() : step.keyIn(operation);
    }

    /** Where idempotency is switched off there are none to know. Else the store has them, and cannot be asked. */
    @Override
    public boolean knowsEarlierAttempts() {
        return isSwitchedOff();
    }

    private boolean isSwitchedOff() {
        return transactions == null;
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
        return transactions == null ? work.run() : transactions.run(step, settings, work);
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
