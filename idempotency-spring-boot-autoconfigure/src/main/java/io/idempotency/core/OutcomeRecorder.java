package io.idempotency.core;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the end of an execution to the store, after the surrounding transaction if there is one. What the store does not
 * take goes to {@link PendingEnds}.
 */
final class OutcomeRecorder {

    private static final Logger logger = LoggerFactory.getLogger(OutcomeRecorder.class);

    /**
     * Asks a store that has refused another end whether it has the outcome of the same owner. It takes no end of his any
     * more, and whose outcome it has is told so again whatever he sends: so no outcome is kept in memory to be asked for.
     */
    private static final ExecutionEnd RECORDED_BEFORE =
            new ExecutionEnd.Complete(Outcome.tombstone("The outcome was not kept while the store was away"));

    private final IdempotencyStore store;

    private final SurroundingTransaction transaction;

    private final LeaseRenewer renewer;

    private final WaitingRoom waitingRoom;

    private final Listeners listeners;

    private final PendingEnds pendingEnds;

    OutcomeRecorder(
            IdempotencyStore store,
            SurroundingTransaction transaction,
            LeaseRenewer renewer,
            WaitingRoom waitingRoom,
            Listeners listeners,
            PendingEnds pendingEnds) {
        this.store = store;
        this.transaction = transaction;
        this.renewer = renewer;
        this.waitingRoom = waitingRoom;
        this.listeners = listeners;
        this.pendingEnds = pendingEnds;
    }

    /** Ends an execution. Never throws when the store fails. */
    void end(Lease lease, OperationPolicy policy, ExecutionEnd end) {
        if (transaction.isActive()) {
            transaction.afterCompletion(result -> write(lease, policy, after(result, end)));
        } else {
            write(lease, policy, end);
        }
    }

    /** A value counts only if the transaction that it came about in was committed; every other end stays. */
    private static ExecutionEnd after(SurroundingTransaction.End result, ExecutionEnd end) {
        if (!end.isSuccess()) {
            return end;
        }
        return switch (result) {
            case COMMITTED -> end;
            case ROLLED_BACK, REFUSED -> new ExecutionEnd.Release();
            case UNKNOWN -> new ExecutionEnd.Hold();
        };
    }

    private void write(Lease lease, OperationPolicy policy, ExecutionEnd end) {
        Outcome.Kind before = end instanceof ExecutionEnd.Complete complete
                ? complete.outcome().kind()
                : null;
        write(lease, end, next -> record(lease, policy, before, next));
    }

    /** @param recording is kept for as long as the end waits, so it must not hold an outcome */
    private void write(Lease lease, ExecutionEnd end, Consumer<ExecutionEnd> recording) {
        lease.ending();
        if (end instanceof ExecutionEnd.Release) {
            renewer.forget(lease);
        }
        try {
            recording.accept(end);
        } catch (IdempotencyStoreException failure) {
            logger.warn(
                    "The end of operation {} could not be recorded and is tried again: {}",
                    lease.claim().identity(),
                    failure.getMessage());
            listeners.tell(listener -> listener.recordingFailed(lease.claim(), failure));
            pendingEnds.add(new PendingEnds.PendingEnd(lease, end, recording));
        }
    }

    /**
     * @param before the kind of the outcome that the store may have already, though its replies were lost; null where there
     *     is none
     * @param next the end that is written; another than that outcome, where this was not or could not be recorded in time
     * @return whether the store had the outcome already
     */
    private boolean record(Lease lease, OperationPolicy policy, Outcome.@Nullable Kind before, ExecutionEnd next) {
        if (tryEnd(lease, policy, next)) {
            tellOf(lease.claim(), next);
            return false;
        }
        if (before != null && !(next instanceof ExecutionEnd.Complete) && tryEnd(lease, policy, RECORDED_BEFORE)) {
            tellOf(lease.claim(), before);
            return true;
        }
        renewer.lost(lease);
        return false;
    }

    /** Returns whether the claim was still the owner's, so that this end is written. */
    private boolean tryEnd(Lease lease, OperationPolicy policy, ExecutionEnd end) {
        Claim claim = lease.claim();
        Ownership ownership;
        if (end instanceof ExecutionEnd.Complete complete) {
            ownership = store.complete(claim, complete.outcome(), policy.retention());
        } else if (end instanceof ExecutionEnd.Release) {
            ownership = store.release(claim, policy.retention());
        } else {
            ownership = store.hold(claim);
        }
        renewer.forget(lease);
        return ownership == Ownership.OWNED;
    }

    /** Tells of an outcome that was recorded by the commit of its own transaction. */
    void committed(Claim claim, Outcome outcome) {
        tellOf(claim, outcome.kind());
    }

    /**
     * Ends an execution without an outcome, unless the outcome is recorded already: it was to be, by a commit of which
     * nobody knows whether it took effect. Waits for the end of that transaction. Never throws when the store fails.
     *
     * @return what became of that transaction, as far as the store can tell
     */
    SurroundingTransaction.End endUnlessCommitted(Lease lease, OperationPolicy policy, Outcome outcome) {
        ExecutionEnd end = ExecutionEnd.withoutOutcome(policy);
        Outcome.Kind before = outcome.kind();
        AtomicReference<SurroundingTransaction.End> found = new AtomicReference<>(SurroundingTransaction.End.UNKNOWN);
        write(
                lease,
                end,
                next -> found.set(
                        record(lease, policy, before, next)
                                ? SurroundingTransaction.End.COMMITTED
                                : SurroundingTransaction.End.ROLLED_BACK));
        return Objects.requireNonNull(found.get());
    }

    private void tellOf(Claim claim, ExecutionEnd end) {
        if (end instanceof ExecutionEnd.Complete complete) {
            tellOf(claim, complete.outcome().kind());
        } else if (end instanceof ExecutionEnd.Release) {
            waitingRoom.wakeOne(claim.identity());
            listeners.tell(listener -> listener.claimReleased(claim));
        } else {
            waitingRoom.wakeAll(claim.identity());
            listeners.tell(listener -> listener.claimHeld(claim));
        }
    }

    private void tellOf(Claim claim, Outcome.Kind recorded) {
        waitingRoom.wakeAll(claim.identity());
        listeners.tell(listener -> listener.outcomeRecorded(claim, recorded));
    }
}
