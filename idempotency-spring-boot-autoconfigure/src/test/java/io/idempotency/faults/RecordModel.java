package io.idempotency.faults;

import io.idempotency.core.ClaimOutcome;
import io.idempotency.core.ClaimRequest;
import io.idempotency.core.Fingerprint;
import io.idempotency.core.IdempotencyRecord;
import io.idempotency.core.Identity;
import io.idempotency.core.OnAbandoned;
import io.idempotency.core.Outcome;
import io.idempotency.core.OwnerToken;
import io.idempotency.core.Ownership;
import io.idempotency.core.RecordState;
import io.idempotency.core.Renewal;
import io.idempotency.core.Resolution;
import io.idempotency.faults.HistoryEvent.Moments;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The state table of the protocol: which answers a record allows, and what it becomes. Time is known by its bounds only,
 * so where a lease or a retention may or may not be over, both ways are allowed.
 *
 * @param state {@code null} where there is no record
 * @param outcome the text of the recorded outcome
 */
record RecordModel(
        @Nullable RecordState state,
        long attempt,
        @Nullable OwnerToken owner,
        @Nullable Fingerprint fingerprint,
        @Nullable OnAbandoned onAbandoned,
        Moments leaseEnd,
        Moments expiry,
        @Nullable String outcome) {

    static final RecordModel NONE =
            new RecordModel(null, 0, null, null, null, Moments.NEVER_COMES, Moments.NEVER_COMES, null);

    /** An answer that the table allows, with the record after it. */
    record Step(Object answer, RecordModel next) {}

    /**
     * Returns what the record may be once an event has taken effect: nothing if its answer is not allowed, and, where it
     * failed, all that any answer leaves behind.
     */
    List<RecordModel> after(HistoryEvent event) {
        List<RecordModel> nexts = new ArrayList<>();
        for (Step step : steps(event)) {
            if (!event.isAnswered() ? !step.next.equals(this) : step.answer.equals(event.answer())) {
                nexts.add(step.next);
            }
        }
        return nexts;
    }

    private List<Step> steps(HistoryEvent event) {
        HistoryRequest request = event.request();
        if (request instanceof HistoryRequest.ToClaim claim) {
            return claim(claim.request(), event);
        }
        if (request instanceof HistoryRequest.ToRenew renew) {
            return renew(renew, event);
        }
        if (request instanceof HistoryRequest.ToComplete complete) {
            RecordModel completed = ended(
                    RecordState.COMPLETED, event.later(complete.retention().toNanos()), text(complete.outcome()));
            return end(complete.claim().owner(), completed, event);
        }
        if (request instanceof HistoryRequest.ToRelease release) {
            RecordModel released =
                    ended(RecordState.RETRYABLE, event.later(release.retention().toNanos()), null);
            return end(release.claim().owner(), released, event);
        }
        if (request instanceof HistoryRequest.ToHold hold) {
            return end(hold.claim().owner(), inDoubt(), event);
        }
        if (request instanceof HistoryRequest.ToResolve resolve) {
            return resolve(resolve, event);
        }
        return find(request.identity(), event);
    }

    private List<Step> claim(ClaimRequest request, HistoryEvent event) {
        List<Step> steps = new ArrayList<>();
        if (state == null || mayBeExpired(event)) {
            // A store that still has the attempt counts on.
            steps.add(grant(request, 1, false, event));
            steps.add(grant(request, attempt + 1, false, event));
            if (event.contended()) {
                // Taken over, says a store that saw the claim past its lease just before it ended and expired.
                steps.add(grant(request, attempt + 1, true, event));
            }
        }
        if (state != null && mayBeAlive(event)) {
            steps.addAll(claimStanding(request, state, event));
        }
        if (event.contended()) {
            // Locked, or lost a race again and again.
            steps.add(new Step(new ClaimOutcome.InProgress(Duration.ZERO), this));
        }
        return steps;
    }

    private List<Step> claimStanding(ClaimRequest request, RecordState standing, HistoryEvent event) {
        if (standing == RecordState.IN_PROGRESS && request.owner().equals(owner)) {
            return List.of(grant(request, attempt, false, event));
        }
        if (standing != RecordState.RETRYABLE && !request.fingerprint().equals(fingerprint)) {
            return List.of(new Step(new ClaimOutcome.Mismatch(), this));
        }
        return switch (standing) {
            case COMPLETED -> List.of(new Step(new Replay(outcome, attempt), this));
            case IN_DOUBT -> List.of(new Step(new ClaimOutcome.InDoubt(attempt), this));
            // Taken over, says a store that saw the claim past its lease just before it was released.
            case RETRYABLE ->
                List.of(grant(request, attempt + 1, false, event), grant(request, attempt + 1, true, event));
            case IN_PROGRESS -> claimRunning(request, event);
        };
    }

    private List<Step> claimRunning(ClaimRequest request, HistoryEvent event) {
        List<Step> steps = new ArrayList<>();
        if (leaseEnd.mayBeBefore(event)) {
            steps.add(
                    onAbandoned == OnAbandoned.HOLD
                            ? new Step(new ClaimOutcome.InDoubt(attempt), inDoubt())
                            : grant(request, attempt + 1, true, event));
        }
        if (leaseEnd.mayBeAfter(event)
                && event.answer() instanceof ClaimOutcome.InProgress running
                && leaseEnd.mayBeAwayFrom(event, running.remainingLease().toNanos())) {
            steps.add(new Step(running, this));
        }
        return steps;
    }

    private static Step grant(ClaimRequest request, long attempt, boolean takeover, HistoryEvent event) {
        RecordModel next = new RecordModel(
                RecordState.IN_PROGRESS,
                attempt,
                request.owner(),
                request.fingerprint(),
                request.onAbandoned(),
                event.later(request.lease().toNanos()),
                Moments.NEVER_COMES,
                null);
        return new Step(new Grant(attempt, takeover), next);
    }

    private List<Step> renew(HistoryRequest.ToRenew renew, HistoryEvent event) {
        if (state != RecordState.IN_PROGRESS || !renew.claim().owner().equals(owner)) {
            return List.of(new Step(Renewal.LOST, this));
        }
        Moments renewed = event.later(renew.claim().lease().toNanos());
        Step step = new Step(
                Renewal.RENEWED,
                new RecordModel(state, attempt, owner, fingerprint, onAbandoned, renewed, expiry, outcome));
        return event.contended() ? List.of(step, new Step(Renewal.BUSY, this)) : List.of(step);
    }

    /** Ends an attempt. The same end sent again answers as before, as long as the record lives. */
    private List<Step> end(OwnerToken token, RecordModel ended, HistoryEvent event) {
        Step lost = new Step(Ownership.LOST, this);
        if (!token.equals(owner)) {
            return List.of(lost);
        }
        if (state == ended.state) {
            Step again = new Step(Ownership.OWNED, this);
            return mayBeExpired(event) ? List.of(again, lost) : List.of(again);
        }
        boolean open = state == RecordState.IN_PROGRESS || state == RecordState.IN_DOUBT;
        return List.of(open ? new Step(Ownership.OWNED, ended) : lost);
    }

    private List<Step> resolve(HistoryRequest.ToResolve resolve, HistoryEvent event) {
        if (state != RecordState.IN_DOUBT || attempt != resolve.attempt()) {
            return List.of(new Step(false, this));
        }
        Resolution resolution = resolve.resolution();
        Moments end = event.later(resolution.retention().toNanos());
        RecordModel resolved = resolution instanceof Resolution.Complete complete
                ? ended(RecordState.COMPLETED, end, text(complete.outcome()))
                : ended(RecordState.RETRYABLE, end, null);
        return List.of(new Step(true, resolved.withoutOwner()));
    }

    private List<Step> find(Identity identity, HistoryEvent event) {
        List<Step> steps = new ArrayList<>();
        if (state == null || mayBeExpired(event)) {
            steps.add(new Step(Optional.empty(), this));
        }
        if (state != null
                && mayBeAlive(event)
                && event.answer() instanceof Optional<?> answer
                && answer.orElse(null) instanceof IdempotencyRecord found
                && mayRemain(found.remainingLease(), event)) {
            steps.add(new Step(
                    Optional.of(new IdempotencyRecord(identity, state, attempt, found.remainingLease())), this));
        }
        return steps;
    }

    private boolean mayRemain(Duration lease, HistoryEvent event) {
        return state == RecordState.IN_PROGRESS
                ? leaseEnd.mayBeAwayFrom(event, lease.toNanos())
                : lease.compareTo(Duration.ZERO) <= 0;
    }

    private boolean mayBeExpired(HistoryEvent event) {
        return expiry.mayBeBefore(event);
    }

    private boolean mayBeAlive(HistoryEvent event) {
        return expiry.mayBeAfter(event);
    }

    private RecordModel inDoubt() {
        return ended(RecordState.IN_DOUBT, Moments.NEVER_COMES, null);
    }

    private RecordModel ended(RecordState end, Moments newExpiry, @Nullable String recorded) {
        return new RecordModel(end, attempt, owner, fingerprint, onAbandoned, Moments.NEVER_COMES, newExpiry, recorded);
    }

    private RecordModel withoutOwner() {
        return new RecordModel(state, attempt, null, fingerprint, onAbandoned, leaseEnd, expiry, outcome);
    }

    private static String text(Outcome outcome) {
        return outcome.text();
    }

    /** A grant, without the claim that it carries. */
    record Grant(long attempt, boolean takeover) {}

    /** A recorded outcome in a form that can be compared. */
    record Replay(@Nullable String outcome, long attempt) {}

    /** Returns an answer of a store in the form in which the model gives it. */
    static Object comparable(Object answer) {
        if (answer instanceof ClaimOutcome.Granted granted) {
            return new Grant(granted.claim().attempt(), granted.takeover());
        }
        if (answer instanceof ClaimOutcome.Completed completed) {
            return new Replay(text(completed.outcome()), completed.attempt());
        }
        return answer;
    }
}
