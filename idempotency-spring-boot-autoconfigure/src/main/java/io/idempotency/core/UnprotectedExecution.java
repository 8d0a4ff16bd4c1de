package io.idempotency.core;

import org.jspecify.annotations.Nullable;

/** An execution without a claim, where the user chose to proceed without a store or has switched idempotency off. */
final class UnprotectedExecution implements Execution {

    private final IdempotencyContext context;

    UnprotectedExecution(UnrecordedSteps steps) {
        this.context = new IdempotencyContext(steps, () -> false);
    }

    @Override
    public long attempt() {
        return 0;
    }

    @Override
    public <T extends @Nullable Object, E extends Throwable> T call(IdempotentWork<T, E> work) throws E {
        return context.call(work);
    }

    @Override
    public void startOver() {}

    @Override
    public boolean isInDoubt() {
        return false;
    }

    @Override
    public void complete(Outcome outcome) {}

    @Override
    public void fail(Throwable failure) {}

    @Override
    public void releaseOrHold() {}

    @Override
    public void release() {}

    @Override
    public void hold() {}
}
