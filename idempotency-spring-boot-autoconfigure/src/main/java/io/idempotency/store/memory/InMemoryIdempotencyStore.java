package io.idempotency.store.memory;

import io.idempotency.core.Claim;
import io.idempotency.core.ClaimOutcome;
import io.idempotency.core.ClaimRequest;
import io.idempotency.core.IdempotencyRecord;
import io.idempotency.core.Identity;
import io.idempotency.core.ImmediateStore;
import io.idempotency.core.OnAbandoned;
import io.idempotency.core.Outcome;
import io.idempotency.core.Ownership;
import io.idempotency.core.RecordState;
import io.idempotency.core.Renewal;
import io.idempotency.core.Resolution;
import io.idempotency.core.StepIdentity;
import io.idempotency.core.StepRecord;
import io.idempotency.core.StepState;
import io.idempotency.core.StepStore;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Keeps records in the memory of this JVM: for development and tests. It protects within one JVM only and forgets
 * everything at a restart.
 *
 * <p>The number of records is limited. Expired ones make room by themselves; when the rest fills the store, a claim of a
 * new identity throws {@link io.idempotency.core.IdempotencyStoreException} rather than drop an outcome that would then
 * be executed again. Time is measured by a clock that nobody can set.
 *
 * <p>Thread-safe: a verb looks at the record, decides, and puts the next one in its place if nobody else was faster; else it
 * looks again. Locks are held for moments, and for longer only by who looks through a store that is full.
 */
public final class InMemoryIdempotencyStore implements ImmediateStore, StepStore {

    private final RecordMap records;

    private final LongSupplier millis;

    /**
     * @param maxRecords how many records are kept at the most
     * @throws IllegalArgumentException if that is less than one
     */
    public InMemoryIdempotencyStore(int maxRecords) {
        this(maxRecords, () -> TimeUnit.NANOSECONDS.toMillis(System.nanoTime()));
    }

    InMemoryIdempotencyStore(int maxRecords, LongSupplier millis) {
        if (maxRecords < 1) {
            throw new IllegalArgumentException(
                    "idempotency.memory.max-records is " + maxRecords + ", but must be at least 1");
        }
        this.records = new RecordMap(maxRecords, millis);
        this.millis = millis;
    }

    @Override
    public ClaimOutcome claim(ClaimRequest request) {
        while (true) {
            long now = millis.getAsLong();
            records.forgetExpired(now);
            StoredRecord standing = records.get(request.identity());
            Answer answer =
                    standing == null ? granted(request, 1, false, StepLog.EMPTY, now) : answer(standing, request, now);
            StoredRecord next = answer.next();
            if (next == null || put(request.identity(), standing, next)) {
                return answer.outcome();
            }
        }
    }

    /** Returns false where somebody else was faster. */
    private boolean put(Identity identity, @Nullable StoredRecord standing, StoredRecord next) {
        return standing == null ? records.add(identity, next) : records.replace(identity, standing, next);
    }

    /** What a claim is told once the next record stands; {@code null} where the record stays as it is. */
    private record Answer(ClaimOutcome outcome, @Nullable StoredRecord next) {}

    private static Answer answer(StoredRecord standing, ClaimRequest request, long now) {
        if (standing.isHeldBy(request.owner())) {
            return granted(request, standing.attempt(), false, standing.steps(), now);
        }
        if (standing.isExpired(now)) {
            return granted(request, standing.attempt() + 1, false, StepLog.EMPTY, now);
        }
        if (standing.isBoundToOtherThan(request.fingerprint())) {
            return new Answer(new ClaimOutcome.Mismatch(), null);
        }
        return switch (standing.state()) {
            case COMPLETED ->
                new Answer(
                        new ClaimOutcome.Completed(Objects.requireNonNull(standing.outcome()), standing.attempt()),
                        null);
            case IN_DOUBT -> new Answer(new ClaimOutcome.InDoubt(standing.attempt()), null);
            case RETRYABLE -> granted(request, standing.attempt() + 1, false, standing.steps(), now);
            case IN_PROGRESS ->
                standing.isAbandoned(now)
                        ? abandoned(standing, request, now)
                        : new Answer(new ClaimOutcome.InProgress(standing.remainingLease(now)), null);
        };
    }

    private static Answer abandoned(StoredRecord standing, ClaimRequest request, long now) {
        return standing.onAbandoned() == OnAbandoned.HOLD
                ? new Answer(new ClaimOutcome.InDoubt(standing.attempt()), standing.inDoubt())
                : granted(request, standing.attempt() + 1, true, standing.steps(), now);
    }

    private static Answer granted(ClaimRequest request, long attempt, boolean takeover, StepLog steps, long now) {
        Claim claim = new Claim(request.identity(), request.owner(), attempt, request.lease());
        return new Answer(
                new ClaimOutcome.Granted(claim, takeover, steps.steps()),
                StoredRecord.claimed(request, attempt, steps, now));
    }

    @Override
    public Map<Claim, Renewal> renew(Collection<Claim> claims) {
        Map<Claim, Renewal> answers = new HashMap<>();
        for (Claim claim : claims) {
            long leaseEnd = millis.getAsLong() + claim.lease().toMillis();
            Ownership ownership = write(
                    claim.identity(), record -> record.isHeldBy(claim.owner()) ? record.leasedUntil(leaseEnd) : null);
            answers.put(claim, ownership == Ownership.OWNED ? Renewal.RENEWED : Renewal.LOST);
        }
        return answers;
    }

    @Override
    public Ownership complete(Claim claim, Outcome outcome, Duration retention) {
        return end(claim, RecordState.COMPLETED, record -> record.completed(outcome, retention, millis.getAsLong()));
    }

    @Override
    public Ownership release(Claim claim, Duration retention) {
        return end(claim, RecordState.RETRYABLE, record -> record.retryable(retention, millis.getAsLong()));
    }

    @Override
    public Ownership hold(Claim claim) {
        return end(claim, RecordState.IN_DOUBT, StoredRecord::inDoubt);
    }

    private Ownership end(Claim claim, RecordState end, UnaryOperator<StoredRecord> transition) {
        return write(claim.identity(), record -> {
            if (!record.isOwnedBy(claim.owner())) {
                return null;
            }
            if (record.state() == end) {
                return record;
            }
            boolean open = record.state() == RecordState.IN_PROGRESS || record.state() == RecordState.IN_DOUBT;
            return open ? transition.apply(record) : null;
        });
    }

    @Override
    public boolean resolve(Identity identity, long attempt, Resolution resolution) {
        return write(identity, record -> {
                    boolean asSeen = record.state() == RecordState.IN_DOUBT && record.attempt() == attempt;
                    return asSeen ? resolved(record, resolution) : null;
                })
                == Ownership.OWNED;
    }

    private StoredRecord resolved(StoredRecord record, Resolution resolution) {
        long now = millis.getAsLong();
        StoredRecord resolved = resolution instanceof Resolution.Complete complete
                ? record.completed(complete.outcome(), complete.retention(), now)
                : record.retryable(resolution.retention(), now)
                        .withSteps(record.steps().only(step -> step.state() == StepState.DONE));
        return resolved.withoutOwner();
    }

    @Override
    public Ownership recordStep(Claim claim, StepRecord step) {
        return changeSteps(claim, steps -> steps.with(step));
    }

    @Override
    public Ownership forgetStep(Claim claim, StepIdentity step) {
        return changeSteps(claim, steps -> steps.without(step));
    }

    @Override
    public boolean resolveStep(Identity identity, long attempt, StepIdentity step, Outcome result) {
        return write(identity, record -> {
                    boolean asSeen = record.state() == RecordState.IN_DOUBT && record.attempt() == attempt;
                    return asSeen
                            ? record.steps()
                                    .running(step)
                                    .map(running ->
                                            record.withSteps(record.steps().with(running.done(result))))
                                    .orElse(null)
                            : null;
                })
                == Ownership.OWNED;
    }

    private Ownership changeSteps(Claim claim, UnaryOperator<StepLog> change) {
        return write(
                claim.identity(),
                record -> record.isHeldBy(claim.owner()) ? record.withSteps(change.apply(record.steps())) : null);
    }

    /** Puts what the transition gives in the place of what stands, until nobody else was faster. */
    private Ownership write(Identity identity, Transition transition) {
        while (true) {
            StoredRecord standing = records.get(identity);
            if (standing == null) {
                return Ownership.LOST;
            }
            StoredRecord next = transition.next(standing);
            if (next == null) {
                return Ownership.LOST;
            }
            if (records.replace(identity, standing, next)) {
                return Ownership.OWNED;
            }
        }
    }

    @FunctionalInterface
    private interface Transition {

        /** Returns the next record; {@code null} where the caller may not write. */
        @Nullable
        StoredRecord next(StoredRecord standing);
    }

    @Override
    public Optional<IdempotencyRecord> find(Identity identity) {
        long now = millis.getAsLong();
        return Optional.ofNullable(records.get(identity))
                .filter(record -> !record.isExpired(now))
                .map(record ->
                        new IdempotencyRecord(identity, record.state(), record.attempt(), record.remainingLease(now)));
    }

    /** Returns how many records are kept just now. */
    int size() {
        return records.size();
    }
}
