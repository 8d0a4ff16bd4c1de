package io.idempotency.step;

import io.idempotency.core.Fingerprint;
import io.idempotency.core.IdempotencyStoreException;
import io.idempotency.core.OnAbandoned;
import io.idempotency.core.Outcome;
import io.idempotency.core.OutcomeCodec;
import io.idempotency.core.OutcomeCodecException;
import io.idempotency.core.ReplayableOutcomes;
import io.idempotency.core.StepConflictException;
import io.idempotency.core.StepIdentity;
import io.idempotency.core.StepInDoubtException;
import io.idempotency.core.StepJournal;
import io.idempotency.core.StepRecord;
import io.idempotency.core.StepState;
import io.idempotency.core.TransactionSettings;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One step in one attempt.
 *
 * <ol>
 *   <li>What was done is not done again: the recorded result is the result.
 *   <li>What was begun and has no recorded end is looked up, or waits for an operator, or is run again, as the code says.
 *   <li>Where nobody can tell whether it was begun, it is looked up, or refused, or run.
 *   <li>A step that is simply run again needs no record of its beginning; the others are marked as running first.
 *   <li>The result is recorded before the caller gets it.
 * </ol>
 *
 * @param <T> the type of the result
 */
record StepExecution<T extends @Nullable Object>(
        StepJournal journal, StepIdentity step, Fingerprint arguments, OutcomeCodec<T> codec) {

    /** What is done about a step that is not done. */
    private interface Course<T extends @Nullable Object, E extends Throwable> {

        /** @param mark says that an earlier attempt, or an earlier try of this one, began the step; {@code null} if not */
        T follow(@Nullable StepRecord mark) throws E;
    }

    <E extends Throwable> T run(StepWork<? extends T, E> work, OnAbandoned onAbandoned) throws E {
        return replayOr(journal.begin(step), mark -> {
            if (onAbandoned == OnAbandoned.RETRY) {
                return recorded(newContext().call(work));
            }
            if (mark != null) {
                journal.doubt();
                throw new StepInDoubtException(journal.operation(), step, mark.attempt());
            }
            if (!journal.knowsEarlierAttempts()) {
                throw new IdempotencyStoreException(
                        ("Step '%s' must not be repeated, and without the store nobody can tell whether it was begun before;"
                                        + " call again when the store answers")
                                .formatted(step.name()),
                        null);
            }
            return runMarked(work, false, true);
        });
    }

    <E extends Throwable> T runChecked(
            StepWork<? extends Optional<? extends T>, E> check, StepWork<? extends T, E> work) throws E {
        return replayOr(journal.begin(step), mark -> {
            if (mark != null || !journal.knowsEarlierAttempts()) {
                Optional<? extends T> found = Objects.requireNonNull(
                        newContext().call(check),
                        () -> "The look-up of step '%s' gave null; give an empty Optional where nothing is found"
                                .formatted(step.name()));
                if (found.isPresent()) {
                    return recorded(found.get());
                }
            }
            return runMarked(work, mark != null, false);
        });
    }

    <E extends Throwable> T runTransactional(StepWork<? extends T, E> work, TransactionSettings settings) throws E {
        return replayOr(
                journal.beginTransactional(step, settings),
                mark -> journal.<T, E>runTransactional(
                        step, settings, () -> newContext().call(work), this::done));
    }

    private <E extends Throwable> T replayOr(Optional<StepRecord> begun, Course<T, E> course) throws E {
        StepRecord known = begun.orElse(null);
        boolean done = false;
        try {
            if (known != null && !known.fingerprint().equals(arguments)) {
                throw conflict("it is asked for with other arguments now", null);
            }
            T result = known != null && known.state() == StepState.DONE
                    ? replay(Objects.requireNonNull(known.result()))
                    : course.follow(known);
            done = true;
            return result;
        } finally {
            if (!done) {
                journal.failed(step);
            }
        }
    }

    private T replay(Outcome result) {
        return switch (result.kind()) {
            case VALUE -> decoded(result);
            case TOMBSTONE -> throw conflict("its result could not be recorded: " + result.text(), null);
            case FAILURE, UNREADABLE ->
                throw conflict("this version of the application cannot read what is stored", null);
        };
    }

    private T decoded(Outcome result) {
        try {
            return codec.decode(result);
        } catch (OutcomeCodecException unreadable) {
            throw conflict("its result cannot be read: " + unreadable.getMessage(), unreadable);
        }
    }

    private StepConflictException conflict(String reason, @Nullable Throwable cause) {
        return new StepConflictException(journal.operation(), step, reason, cause);
    }

    /** Runs work of which it must be known, if this attempt vanishes, that it was begun. */
    private <E extends Throwable> T runMarked(StepWork<? extends T, E> work, boolean marked, boolean hold) throws E {
        StepContext context = newContext();
        boolean begun = false;
        boolean returned = false;
        try {
            if (!marked) {
                journal.record(new StepRecord(step, StepState.RUNNING, arguments, journal.attempt(), null));
            }
            begun = true;
            T result = context.call(work);
            returned = true;
            return recorded(result);
        } catch (Throwable failure) {
            boolean withoutEffect = !begun || (!returned && context.isWithoutEffect());
            boolean unmarked = withoutEffect && unmark(failure);
            if (hold && !unmarked) {
                journal.doubt();
            }
            throw failure;
        }
    }

    private boolean unmark(Throwable failure) {
        try {
            journal.forget(step);
            return true;
        } catch (RuntimeException unreachable) {
            failure.addSuppressed(unreachable);
            return false;
        }
    }

    private T recorded(T result) {
        journal.record(done(result));
        return result;
    }

    private StepRecord done(T result) {
        Outcome outcome = ReplayableOutcomes.encode("step '%s'".formatted(step.name()), codec, result);
        return new StepRecord(step, StepState.DONE, arguments, journal.attempt(), outcome);
    }

    private StepContext newContext() {
        return new StepContext(step.name(), journal.key(step), journal.attempt());
    }
}
