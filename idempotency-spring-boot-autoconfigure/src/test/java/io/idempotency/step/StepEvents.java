package io.idempotency.step;

import io.idempotency.core.Claim;
import io.idempotency.core.IdempotencyListener;
import io.idempotency.core.StepIdentity;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** What listeners were told of steps, in order, with the attempts. */
final class StepEvents implements IdempotencyListener {

    private final List<String> told = new CopyOnWriteArrayList<>();

    List<String> all() {
        return List.copyOf(told);
    }

    @Override
    public void stepStarted(Claim claim, StepIdentity step) {
        told.add("%d started %s".formatted(claim.attempt(), step.name()));
    }

    @Override
    public void stepRecorded(Claim claim, StepIdentity step) {
        told.add("%d recorded %s".formatted(claim.attempt(), step.name()));
    }

    @Override
    public void stepSkipped(Claim claim, StepIdentity step) {
        told.add("%d skipped %s".formatted(claim.attempt(), step.name()));
    }

    @Override
    public void stepFailed(Claim claim, StepIdentity step) {
        told.add("%d failed %s".formatted(claim.attempt(), step.name()));
    }
}
