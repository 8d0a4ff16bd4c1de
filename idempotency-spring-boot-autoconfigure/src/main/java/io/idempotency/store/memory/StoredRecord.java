package io.idempotency.store.memory;

import io.idempotency.core.ClaimRequest;
import io.idempotency.core.Fingerprint;
import io.idempotency.core.OnAbandoned;
import io.idempotency.core.Outcome;
import io.idempotency.core.OwnerToken;
import io.idempotency.core.RecordState;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One record as it stands. Every change makes a new one, which replaces the old one if nobody else was faster.
 *
 * @param owner the newest holder; {@code null} once an operator has resolved its doubt
 * @param onAbandoned what the newest holder asked for
 * @param leaseEnd on the store's clock; meaningful while in progress
 * @param expiry on the store's clock, or {@link #NEVER}
 * @param outcome present when completed
 * @param steps what is recorded of the steps of the operation
 */
record StoredRecord(
        RecordState state,
        long attempt,
        @Nullable OwnerToken owner,
        Fingerprint fingerprint,
        OnAbandoned onAbandoned,
        long leaseEnd,
        long expiry,
        @Nullable Outcome outcome,
        StepLog steps) {

    static final long NEVER = Long.MAX_VALUE;

    /** The record of a claim that is granted now. */
    static StoredRecord claimed(ClaimRequest request, long attempt, StepLog steps, long now) {
        return new StoredRecord(
                RecordState.IN_PROGRESS,
                attempt,
                request.owner(),
                request.fingerprint(),
                request.onAbandoned(),
                now + request.lease().toMillis(),
                request.onAbandoned() == OnAbandoned.HOLD
                        ? NEVER
                        : now + request.lifetime().toMillis(),
                null,
                steps);
    }

    StoredRecord leasedUntil(long newLeaseEnd) {
        return new StoredRecord(state, attempt, owner, fingerprint, onAbandoned, newLeaseEnd, expiry, outcome, steps);
    }

    StoredRecord completed(Outcome recorded, Duration retention, long now) {
        return ended(RecordState.COMPLETED, now + retention.toMillis(), recorded);
    }

    StoredRecord retryable(Duration retention, long now) {
        return ended(RecordState.RETRYABLE, now + retention.toMillis(), null);
    }

    StoredRecord inDoubt() {
        return ended(RecordState.IN_DOUBT, NEVER, null);
    }

    StoredRecord withoutOwner() {
        return new StoredRecord(state, attempt, null, fingerprint, onAbandoned, leaseEnd, expiry, outcome, steps);
    }

    private StoredRecord ended(RecordState newState, long newExpiry, @Nullable Outcome recorded) {
        return new StoredRecord(
                newState, attempt, owner, fingerprint, onAbandoned, leaseEnd, newExpiry, recorded, steps);
    }

    StoredRecord withSteps(StepLog newSteps) {
        return new StoredRecord(state, attempt, owner, fingerprint, onAbandoned, leaseEnd, expiry, outcome, newSteps);
    }

    boolean isOwnedBy(OwnerToken token) {
        return token.equals(owner);
    }

    boolean isHeldBy(OwnerToken token) {
        return state == RecordState.IN_PROGRESS && isOwnedBy(token);
    }

    boolean isExpired(long now) {
        return expiry <= now;
    }

    /** Says whether the record is about something else. A retryable record without steps is not bound to what was asked. */
    boolean isBoundToOtherThan(Fingerprint asked) {
        return !fingerprint.equals(asked) && (state != RecordState.RETRYABLE || !steps.isEmpty());
    }

    boolean isAbandoned(long now) {
        return state == RecordState.IN_PROGRESS && leaseEnd <= now;
    }

    Duration remainingLease(long now) {
        return state == RecordState.IN_PROGRESS ? Duration.ofMillis(leaseEnd - now) : Duration.ZERO;
    }
}
