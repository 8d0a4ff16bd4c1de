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
 * @param steps what is recorded of them
 */
record RecordModel(
        @Nullable RecordState state,
        long attempt,
        @Nullable OwnerToken owner,
        @Nullable Fingerprint fingerprint,
        @Nullable OnAbandoned onAbandoned,
        Moments leaseEnd,
        Moments expiry,
        @Nullable String outcome,
        RecordedSteps steps) {

    static final RecordModel NONE = new RecordModel(
            null, 0, null, null, null, Moments.NEVER_COMES, Moments.NEVER_COMES, null, RecordedSteps.NONE);

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
        if (request instanceof HistoryRequest.ToRecordStep record) {
            return changeSteps(record.claim().owner(), steps.with(record.step()));
        }
        if (request instanceof HistoryRequest.ToForgetStep forget) {
            return changeSteps(forget.claim().owner(), steps.without(forget.step()));
        }
        if (request instanceof HistoryRequest.ToResolveStep resolve) {
            return resolveStep(resolve, event);
        }
        return find(request.identity(), event);
    }

    private List<Step> claim(ClaimRequest request, HistoryEvent event) {
        List<Step> answers = new ArrayList<>();
        if (state == null || mayBeExpired(event)) {
            // A store that still has the attempt counts on, and forgets the steps all the same.
            answers.add(NONE.grant(request, 1, false, event));
            answers.add(NONE.grant(request, attempt + 1, false, event));
        }
        if (state != null && mayBeAlive(event)) {
            answers.addAll(claimStanding(request, state, event));
        }
        if (event.contended()) {
            // Locked, or lost a race again and again.
            answers.add(new Step(new ClaimOutcome.InProgress(Duration.ZERO), this));
        }
        return answers;
    }

    private List<Step> claimStanding(ClaimRequest request, RecordState standing, HistoryEvent event) {
        if (standing == RecordState.IN_PROGRESS && request.owner().equals(owner)) {
            return List.of(grant(request, attempt, false, event));
        }
        boolean differs = !request.fingerprint().equals(fingerprint);
        if (differs && (standing != RecordState.RETRYABLE || !steps.isEmpty())) {
            return List.of(mismatch());
        }
        return switch (standing) {
            case COMPLETED -> List.of(new Step(new Replay(outcome, attempt), this));
            case IN_DOUBT -> List.of(new Step(new ClaimOutcome.InDoubt(attempt), this));
            case RETRYABLE -> {
                Step granted = grant(request, attempt + 1, false, event);
                // Bound, says a store that has forgotten the last step, or bound the record for one that it refused.
                yield differs && event.afterSteps() ? List.of(granted, mismatch()) : List.of(granted);
            }
            case IN_PROGRESS -> claimRunning(request, event);
        };
    }

    private Step mismatch() {
        return new Step(new ClaimOutcome.Mismatch(), this);
    }

    private List<Step> claimRunning(ClaimRequest request, HistoryEvent event) {
        List<Step> answers = new ArrayList<>();
        if (leaseEnd.mayBeBefore(event)) {
            answers.add(
                    onAbandoned == OnAbandoned.HOLD
                            ? new Step(new ClaimOutcome.InDoubt(attempt), inDoubt())
                            : grant(request, attempt + 1, true, event));
        }
        if (leaseEnd.mayBeAfter(event)
                && event.answer() instanceof ClaimOutcome.InProgress running
                && leaseEnd.mayBeAwayFrom(event, running.remainingLease().toNanos())) {
            answers.add(new Step(running, this));
        }
        return answers;
    }

    private Step grant(ClaimRequest request, long granted, boolean takeover, HistoryEvent event) {
        RecordModel next = new RecordModel(
                RecordState.IN_PROGRESS,
                granted,
                request.owner(),
                request.fingerprint(),
                request.onAbandoned(),
                event.later(request.lease().toNanos()),
                Moments.NEVER_COMES,
                null,
                steps);
        return new Step(new Grant(granted, takeover, steps), next);
    }

    private List<Step> renew(HistoryRequest.ToRenew renew, HistoryEvent event) {
        if (state != RecordState.IN_PROGRESS || !renew.claim().owner().equals(owner)) {
            return List.of(new Step(Renewal.LOST, this));
        }
        Moments renewed = event.later(renew.claim().lease().toNanos());
        Step step = new Step(
                Renewal.RENEWED,
                new RecordModel(state, attempt, owner, fingerprint, onAbandoned, renewed, expiry, outcome, steps));
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
        boolean isRetry = resolution instanceof Resolution.Retry;
        Step done = new Step(
                true, isRetry ? resolved.withoutOwner().with(steps.withoutRunning()) : resolved.withoutOwner());
        // A store may forget the steps before it finds that somebody else has ended the doubt, or could not be told.
        return isRetry && (event.contended() || !event.isAnswered())
                ? List.of(done, new Step(false, with(steps.withoutRunning())))
                : List.of(done);
    }

    private List<Step> changeSteps(OwnerToken token, RecordedSteps changed) {
        return state == RecordState.IN_PROGRESS && token.equals(owner)
                ? List.of(new Step(Ownership.OWNED, with(changed)))
                : List.of(new Step(Ownership.LOST, this));
    }

    private List<Step> resolveStep(HistoryRequest.ToResolveStep resolve, HistoryEvent event) {
        boolean asSeen = state == RecordState.IN_DOUBT && attempt == resolve.attempt();
        Step unchanged = new Step(false, this);
        if (!asSeen || !steps.isRunning(resolve.step())) {
            return List.of(unchanged);
        }
        Step resolved = new Step(true, with(steps.withResult(resolve.step(), resolve.result())));
        // Somebody else may be resolving the record, and have forgotten the step already.
        return event.contended() ? List.of(resolved, unchanged) : List.of(resolved);
    }

    private RecordModel with(RecordedSteps changed) {
        return new RecordModel(state, attempt, owner, fingerprint, onAbandoned, leaseEnd, expiry, outcome, changed);
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
        return new RecordModel(
                end, attempt, owner, fingerprint, onAbandoned, Moments.NEVER_COMES, newExpiry, recorded, steps);
    }

    private RecordModel withoutOwner() {
        return new RecordModel(state, attempt, null, fingerprint, onAbandoned, leaseEnd, expiry, outcome, steps);
    }

    private static String text(Outcome outcome) {
        return outcome.text();
    }

    /** A grant, without the claim that it carries. */
    record Grant(long attempt, boolean takeover, RecordedSteps steps) {}

    /** A recorded outcome in a form that can be compared. */
    record Replay(@Nullable String outcome, long attempt) {}

    /** Returns an answer of a store in the form in which the model gives it. */
    static Object comparable(Object answer) {
        if (answer instanceof ClaimOutcome.Granted granted) {
            return new Grant(granted.claim().attempt(), granted.takeover(), RecordedSteps.of(granted.steps()));
        }
        if (answer instanceof ClaimOutcome.Completed completed) {
            return new Replay(text(completed.outcome()), completed.attempt());
        }
        return answer;
    }
}
