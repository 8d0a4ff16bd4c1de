package io.idempotency.core;

import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The steps of one execution: what earlier attempts have recorded, and what this one records. It is the ground that
 * {@code IdempotentSteps} stands on; applications use that. Thread-safe.
 */
public interface StepJournal {

    /** Returns the journal of the innermost operation that is executing on this thread; empty where none is. */
    static Optional<StepJournal> current() {
        return IdempotencyContext.current().map(IdempotencyContext::steps);
    }

    /** Returns a journal that records nothing, for what runs without protection. */
    static StepJournal unrecorded() {
        return new UnrecordedSteps(Identity.of("", "unprotected", null, ""), null);
    }

    /** Returns what the record of the operation is looked up by. */
    Identity operation();

    /** Returns the number of this attempt; 0 where nothing is recorded. */
    long attempt();

    /**
     * Returns a key that is the same for this step in all attempts, and differs for every other step and operation; where
     * idempotency is switched off, a random one.
     */
    UUID key(StepIdentity step);

    /**
     * Says whether this attempt knows which steps earlier ones have begun. One that proceeds without the store does not: any
     * of its steps may have been begun and done.
     */
    boolean knowsEarlierAttempts();

    /**
     * Begins a step. Without asking the store: what earlier attempts have recorded came with the claim.
     *
     * @return what is recorded of the step; empty where nothing is
     * @throws IllegalStateException if the step was begun in this execution and has not failed, or steps cannot be recorded
     *     here; the message says why
     * @throws ClaimLostException if the claim is lost
     */
    Optional<StepRecord> begin(StepIdentity step);

    /**
     * Begins a step that is to be run by {@link #runTransactional}, as {@link #begin} does.
     *
     * @throws IllegalStateException if the step was begun in this execution and has not failed, or cannot be run in a
     *     transaction here; the message says why
     */
    Optional<StepRecord> beginTransactional(StepIdentity step, TransactionSettings settings);

    /**
     * Says that a step which the calling thread has begun has failed, so that this execution may begin it again, and what the
     * thread has begun inside of it.
     */
    void failed(StepIdentity step);

    /**
     * Records a step.
     *
     * @throws ClaimLostException if the claim is lost; nothing was recorded
     * @throws IllegalStateException if the execution has ended meanwhile; nothing was recorded
     * @throws IdempotencyStoreException if the store cannot be reached; the step may be recorded or not
     */
    void record(StepRecord step);

    /**
     * Runs a step that was begun in a transaction in which it is recorded: that which keeps the record of the operation
     * locked where the calling thread has one open, else one of its own. Whatever is thrown rolls that back, however it is
     * handled.
     *
     * @param record gives the record of what the work gave
     * @throws ClaimLostException if the claim is lost; nothing ran
     * @throws IdempotencyStoreException if no transaction can be opened, or the step cannot be recorded in it
     */
    <T extends @Nullable Object, E extends Throwable> T runTransactional(
            StepIdentity step,
            TransactionSettings settings,
            IdempotentWork<T, E> work,
            Function<? super T, StepRecord> record)
            throws E;

    /**
     * Forgets a step.
     *
     * @throws ClaimLostException if the claim is lost; nothing was forgotten
     * @throws IdempotencyStoreException if the store cannot be reached
     */
    void forget(StepIdentity step);

    /** Says that nobody knows whether a step was done: unless the execution succeeds all the same, it ends in doubt. */
    void doubt();
}
