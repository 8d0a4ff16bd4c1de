package io.idempotency.sample.page;

import io.idempotency.core.Claim;
import io.idempotency.core.FingerprintMismatchException;
import io.idempotency.core.IdempotencyException;
import io.idempotency.core.IdempotencyListener;
import io.idempotency.core.IdempotencyStoreException;
import io.idempotency.core.Identity;
import io.idempotency.core.OperationInProgressException;
import io.idempotency.core.Outcome;
import io.idempotency.core.StepIdentity;
import io.idempotency.sample.page.TimelineEntry.Kind;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Remembers the last that happened on this node. Thread-safe. */
@Component
class Timeline implements IdempotencyListener {

    static final int KEPT = 2_000;

    private static final int KEY_DIGITS = 8;

    private final Deque<TimelineEntry> entries = new ArrayDeque<>();

    private long last;

    /** Returns what came after an entry, as far as it is remembered; all of it where no entry has this number. */
    synchronized List<TimelineEntry> after(long number) {
        return entries.stream()
                .filter(entry -> number > last || entry.number() > number)
                .toList();
    }

    private synchronized void note(Kind kind, Identity identity, long attempt, @Nullable String step) {
        last++;
        String key = identity.hex().substring(0, KEY_DIGITS);
        entries.add(new TimelineEntry(last, Instant.now(), identity.operation(), key, kind, attempt, step));
        if (entries.size() > KEPT) {
            entries.remove();
        }
    }

    private void note(Kind kind, Claim claim, @Nullable String step) {
        note(kind, claim.identity(), claim.attempt(), step);
    }

    @Override
    public void executionStarted(Claim claim, boolean takeover) {
        note(takeover ? Kind.TAKEN_OVER : Kind.STARTED, claim, null);
    }

    @Override
    public void callWaiting(Identity identity) {
        note(Kind.WAITING, identity, 0, null);
    }

    @Override
    public void stepStarted(Claim claim, StepIdentity step) {
        note(Kind.STEP_STARTED, claim, step.name());
    }

    @Override
    public void stepRecorded(Claim claim, StepIdentity step) {
        note(Kind.STEP_RECORDED, claim, step.name());
    }

    @Override
    public void stepSkipped(Claim claim, StepIdentity step) {
        note(Kind.STEP_SKIPPED, claim, step.name());
    }

    @Override
    public void stepFailed(Claim claim, StepIdentity step) {
        note(Kind.STEP_FAILED, claim, step.name());
    }

    @Override
    public void outcomeRecorded(Claim claim, Outcome.Kind kind) {
        note(Kind.RECORDED, claim, null);
    }

    @Override
    public void claimReleased(Claim claim) {
        note(Kind.RELEASED, claim, null);
    }

    @Override
    public void claimHeld(Claim claim) {
        note(Kind.HELD, claim, null);
    }

    @Override
    public void leaseLost(Claim claim) {
        note(Kind.LOST, claim, null);
    }

    @Override
    public void outcomeReplayed(Identity identity, Outcome.Kind kind) {
        note(Kind.REPLAYED, identity, 0, null);
    }

    @Override
    public void callRefused(Identity identity, IdempotencyException refusal) {
        note(refusalKind(refusal), identity, 0, null);
    }

    private static Kind refusalKind(IdempotencyException refusal) {
        if (refusal instanceof OperationInProgressException) {
            return Kind.REFUSED_IN_PROGRESS;
        }
        if (refusal instanceof IdempotencyStoreException) {
            return Kind.REFUSED_WITHOUT_STORE;
        }
        return refusal instanceof FingerprintMismatchException ? Kind.REFUSED_OTHER_CONTENT : Kind.REFUSED;
    }
}
