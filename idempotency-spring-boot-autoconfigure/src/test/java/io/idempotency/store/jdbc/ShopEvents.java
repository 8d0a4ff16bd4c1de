package io.idempotency.store.jdbc;

import io.idempotency.core.Claim;
import io.idempotency.core.IdempotencyException;
import io.idempotency.core.IdempotencyListener;
import io.idempotency.core.IdempotencyStoreException;
import io.idempotency.core.Identity;
import io.idempotency.core.Outcome;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** What listeners were told in a shop, in order. */
final class ShopEvents implements IdempotencyListener {

    private final List<String> told = new CopyOnWriteArrayList<>();

    /** Returns the names of what happened, in order. */
    List<String> told() {
        return List.copyOf(told);
    }

    @Override
    public void executionStarted(Claim claim, boolean takeover) {
        told.add(takeover ? "takeover" : "started");
    }

    @Override
    public void outcomeRecorded(Claim claim, Outcome.Kind kind) {
        told.add("recorded");
    }

    @Override
    public void claimReleased(Claim claim) {
        told.add("released");
    }

    @Override
    public void claimHeld(Claim claim) {
        told.add("held");
    }

    @Override
    public void outcomeReplayed(Identity identity, Outcome.Kind kind) {
        told.add("replayed");
    }

    @Override
    public void callRefused(Identity identity, IdempotencyException refusal) {
        told.add("refused");
    }

    @Override
    public void leaseLost(Claim claim) {
        told.add("lost");
    }

    @Override
    public void recordingFailed(Claim claim, IdempotencyStoreException failure) {
        told.add("recording failed");
    }
}
