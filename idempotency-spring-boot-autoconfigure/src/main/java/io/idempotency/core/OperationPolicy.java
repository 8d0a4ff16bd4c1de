package io.idempotency.core;

import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * How one operation is protected.
 *
 * @param lease how long a claim lives without renewal, at least one millisecond
 * @param maxDuration how long a claim is renewed at the most, not shorter than the lease
 * @param retention how long an outcome is replayed, counted from its recording
 * @param maxWait how long a duplicate waits for the outcome of the running execution; zero refuses it at once
 * @param onFailure what becomes of the key when the execution fails
 * @param onAbandoned what becomes of the claim when its holder vanished
 * @param onStoreFailure what the call does when the store cannot be reached
 * @param recordedFailures the kinds of failure that are an outcome, whatever {@code onFailure} says
 * @param transaction the transaction in which record and rows are written together; empty where the record is written by
 *     itself
 */
public record OperationPolicy(
        Duration lease,
        Duration maxDuration,
        Duration retention,
        Duration maxWait,
        OnFailure onFailure,
        OnAbandoned onAbandoned,
        OnStoreFailure onStoreFailure,
        Set<Class<? extends Throwable>> recordedFailures,
        Optional<TransactionSettings> transaction) {

    /** Keeps every sum of durations, in the smallest unit of every store, far inside a {@code long}. */
    private static final Duration LONGEST = Duration.ofDays(36_500);

    /** The policy of an operation for which nothing was configured. */
    public static final OperationPolicy DEFAULT = new OperationPolicy(
            Duration.ofSeconds(30),
            Duration.ofMinutes(15),
            Duration.ofHours(24),
            Duration.ZERO,
            OnFailure.RELEASE,
            OnAbandoned.RETRY,
            OnStoreFailure.REJECT,
            Set.of(),
            Optional.empty());

    /**
     * @throws IllegalArgumentException if a duration is out of its limits; the message names it
     */
    public OperationPolicy {
        requireBetween("lease", lease, Duration.ofMillis(1), LONGEST);
        requireBetween("max-duration", maxDuration, lease, LONGEST);
        requireBetween("retention", retention, Duration.ofMillis(1), LONGEST);
        requireBetween("wait", maxWait, Duration.ZERO, LONGEST);
        recordedFailures = Set.copyOf(recordedFailures);
    }

    private static void requireBetween(String name, Duration value, Duration least, Duration most) {
        if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
            throw new IllegalArgumentException(
                    "The %s is %s, but must lie between %s and %s".formatted(name, value, least, most));
        }
    }

    /**
     * Says whether a failure is an outcome that every retry gets again. What this library refuses never is, whatever the
     * policy says: it tells that a call or a step did not run, or how an earlier one ended, and nothing final about this one.
     */
    public boolean records(Throwable failure) {
        return !isRefusal(failure)
                && (onFailure == OnFailure.STORE
                        || recordedFailures.stream().anyMatch(type -> type.isInstance(failure)));
    }

    /** The recorded failure of another operation is none: it comes again in every retry, as that operation's own would. */
    private static boolean isRefusal(Throwable failure) {
        return failure instanceof IdempotencyException && !(failure instanceof RecordedFailureException);
    }

    public OperationPolicy withLease(Duration lease) {
        return with(draft -> draft.lease = lease);
    }

    public OperationPolicy withMaxDuration(Duration maxDuration) {
        return with(draft -> draft.maxDuration = maxDuration);
    }

    public OperationPolicy withRetention(Duration retention) {
        return with(draft -> draft.retention = retention);
    }

    public OperationPolicy withMaxWait(Duration maxWait) {
        return with(draft -> draft.maxWait = maxWait);
    }

    public OperationPolicy withOnFailure(OnFailure onFailure) {
        return with(draft -> draft.onFailure = onFailure);
    }

    public OperationPolicy withOnAbandoned(OnAbandoned onAbandoned) {
        return with(draft -> draft.onAbandoned = onAbandoned);
    }

    public OperationPolicy withOnStoreFailure(OnStoreFailure onStoreFailure) {
        return with(draft -> draft.onStoreFailure = onStoreFailure);
    }

    public OperationPolicy withRecordedFailures(Set<Class<? extends Throwable>> recordedFailures) {
        return with(draft -> draft.recordedFailures = recordedFailures);
    }

    /** Makes the operation transactional: its record and its rows are committed or rolled back together. */
    public OperationPolicy withTransaction(TransactionSettings settings) {
        return with(draft -> draft.transaction = Optional.of(settings));
    }

    private OperationPolicy with(Consumer<Draft> change) {
        Draft draft = new Draft(this);
        change.accept(draft);
        return draft.policy();
    }

    /** A policy that is being changed. */
    private static final class Draft {

        private Duration lease;

        private Duration maxDuration;

        private Duration retention;

        private Duration maxWait;

        private OnFailure onFailure;

        private OnAbandoned onAbandoned;

        private OnStoreFailure onStoreFailure;

        private Set<Class<? extends Throwable>> recordedFailures;

        private Optional<TransactionSettings> transaction;

        private Draft(OperationPolicy policy) {
            lease = policy.lease;
            maxDuration = policy.maxDuration;
            retention = policy.retention;
            maxWait = policy.maxWait;
            onFailure = policy.onFailure;
            onAbandoned = policy.onAbandoned;
            onStoreFailure = policy.onStoreFailure;
            recordedFailures = policy.recordedFailures;
            transaction = policy.transaction;
        }

        private OperationPolicy policy() {
            return new OperationPolicy(
                    lease,
                    maxDuration,
                    retention,
                    maxWait,
                    onFailure,
                    onAbandoned,
                    onStoreFailure,
                    recordedFailures,
                    transaction);
        }
    }
}
