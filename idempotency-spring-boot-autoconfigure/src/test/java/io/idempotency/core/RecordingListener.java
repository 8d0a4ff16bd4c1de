package io.idempotency.core;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Remembers the names of the events, in their order. */
final class RecordingListener implements IdempotencyListener {

    private final List<String> events = new CopyOnWriteArrayList<>();

    List<String> events() {
        return List.copyOf(events);
    }

    @Override
    public void executionStarted(Claim claim, boolean takeover) {
        events.add(takeover ? "takeover" : "started");
    }

    @Override
    public void callWaiting(Identity identity) {
        events.add("waiting");
    }

    @Override
    public void stepStarted(Claim claim, StepIdentity step) {
        events.add("step started " + step.name());
    }

    @Override
    public void stepRecorded(Claim claim, StepIdentity step) {
        events.add("step recorded " + step.name());
    }

    @Override
    public void stepSkipped(Claim claim, StepIdentity step) {
        events.add("step skipped " + step.name());
    }

    @Override
    public void stepFailed(Claim claim, StepIdentity step) {
        events.add("step failed " + step.name());
    }

    @Override
    public void outcomeRecorded(Claim claim, Outcome.Kind kind) {
        events.add("recorded " + kind);
    }

    @Override
    public void claimReleased(Claim claim) {
        events.add("released");
    }

    @Override
    public void claimHeld(Claim claim) {
        events.add("held");
    }

    @Override
    public void outcomeReplayed(Identity identity, Outcome.Kind kind) {
        events.add("replayed " + kind);
    }

    @Override
    public void callRefused(Identity identity, IdempotencyException refusal) {
        events.add("refused " + refusal.getClass().getSimpleName());
    }

    @Override
    public void leaseLost(Claim claim) {
        events.add("lost");
    }

    @Override
    public void recordingFailed(Claim claim, IdempotencyStoreException failure) {
        events.add("recording failed");
    }

    @Override
    public void ranUnprotected(Identity identity, IdempotencyStoreException failure) {
        events.add("unprotected");
    }
}
