package io.idempotency.core;

import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** An execution that holds a claim. */
final class ClaimedExecution implements Execution {

    private static final int MAX_MESSAGE_LENGTH = 1_000;

    private final Lease lease;

    private final OperationPolicy policy;

    private final OutcomeRecorder recorder;

    private final ClaimedSteps steps;

    private final IdempotencyContext context;

    private final AtomicBoolean ended = new AtomicBoolean();

    ClaimedExecution(Lease lease, OperationPolicy policy, OutcomeRecorder recorder, ClaimedSteps steps) {
        this.lease = lease;
        this.policy = policy;
        this.recorder = recorder;
        this.steps = steps;
        this.context = new IdempotencyContext(steps, lease::isLost);
    }

    Lease lease() {
        return lease;
    }

    ClaimedSteps steps() {
        return steps;
    }

    @Override
    public long attempt() {
        return lease.claim().attempt();
    }

    @Override
    public <T extends @Nullable Object, E extends Throwable> T call(IdempotentWork<T, E> work) throws E {
        return context.call(work);
    }

    @Override
    public void startOver() {
        steps.startOver();
    }

    @Override
    public boolean isInDoubt() {
        return steps.isInDoubt();
    }

    @Override
    public void complete(Outcome outcome) {
        end(new ExecutionEnd.Complete(outcome));
    }

    @Override
    public void fail(Throwable failure) {
        if (policy.records(failure)) {
            complete(failureOutcome(failure));
        } else {
            releaseOrHold();
        }
    }

    @Override
    public void releaseOrHold() {
        end(ExecutionEnd.withoutOutcome(policy));
    }

    @Override
    public void release() {
        end(new ExecutionEnd.Release());
    }

    @Override
    public void hold() {
        end(new ExecutionEnd.Hold());
    }

    /** The execution has ended, by the commit of a transaction or another way that recorded its end. */
    void over() {
        ended.set(true);
        steps.end();
    }

    private void end(ExecutionEnd end) {
        if (ended.compareAndSet(false, true)) {
            steps.end();
            if (end.isSuccess()) {
                steps.reportUnasked();
            }
            recorder.end(lease, policy, end.isSuccess() || !steps.isInDoubt() ? end : new ExecutionEnd.Hold());
        }
    }

    private static Outcome failureOutcome(Throwable failure) {
        String message = Objects.requireNonNullElse(failure.getMessage(), "");
        String text = failure.getClass().getName() + "\n"
                + message.substring(0, Math.min(message.length(), MAX_MESSAGE_LENGTH));
        return new Outcome(Outcome.Kind.FAILURE, "failure/1", text.getBytes(StandardCharsets.UTF_8));
    }
}
