package io.idempotency.core;

import org.jspecify.annotations.Nullable;

/**
 * A granted claim in the hands of a door: the work is to be run, and then exactly one of the ends is to be told. The
 * first end counts; later ones are ignored. Thread-safe.
 *
 * <p>No end throws when the store fails: the work has happened, and its caller gets its result.
 */
public interface Execution {

    /** Returns the number of this attempt; 0 where the call runs without protection. */
    long attempt();

    /** Runs work, or a part of it, with the {@link IdempotencyContext} of this execution bound to the thread. */
    <T extends @Nullable Object, E extends Throwable> T call(IdempotentWork<T, E> work) throws E;

    /**
     * The work is about to run again from its beginning, though it has not ended. Steps that are done give their recorded
     * values, as in a later attempt.
     */
    void startOver();

    /** Says whether a step of the work was begun of which nobody knows the end. */
    boolean isInDoubt();

    /** The work succeeded, with this outcome. */
    void complete(Outcome outcome);

    /** The work failed: the failure is recorded, or the key is released or held, as the policy says. */
    void fail(Throwable failure);

    /** The work failed, but by nothing that could be an outcome: the key is released or held, as the policy says. */
    void releaseOrHold();

    /** The work had no effect that counts: the key is free again. */
    void release();

    /** Nobody knows whether the work had its effect: nobody may retry until an operator resolves it. */
    void hold();
}
