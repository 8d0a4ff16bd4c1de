package io.idempotency.core;

/**
 * Observes what happens to protected operations. Methods are called on the thread on which it happens and must be quick;
 * what they throw is logged and changes nothing.
 */
public interface IdempotencyListener {

    /** A claim was granted and its execution begins. */
    default void executionStarted(Claim claim, boolean takeover) {}

    /** A call found the operation in progress and waits for its end. What comes of it is told besides. */
    default void callWaiting(Identity identity) {}

    /** A step begins that was not done before; an earlier attempt may have begun it. */
    default void stepStarted(Claim claim, StepIdentity step) {}

    /** A step was done and its result is recorded. */
    default void stepRecorded(Claim claim, StepIdentity step) {}

    /** A step was asked for that an earlier attempt has done: it does not run. */
    default void stepSkipped(Claim claim, StepIdentity step) {}

    /** A step threw, could not be recorded, or was refused. */
    default void stepFailed(Claim claim, StepIdentity step) {}

    /** An outcome was recorded; a tombstone too. */
    default void outcomeRecorded(Claim claim, Outcome.Kind kind) {}

    /** An attempt ended without an outcome and the key is free again. */
    default void claimReleased(Claim claim) {}

    /** An attempt ended with a doubt. */
    default void claimHeld(Claim claim) {}

    /** A call was answered from the recorded outcome. */
    default void outcomeReplayed(Identity identity, Outcome.Kind kind) {}

    /** A call was refused and nothing ran. */
    default void callRefused(Identity identity, IdempotencyException refusal) {}

    /**
     * A holder lost its claim: the store said so, or the lease passed without a renewal. Told once, and again only if a
     * transaction that locked the record has shown in between that nobody had taken over.
     */
    default void leaseLost(Claim claim) {}

    /** The work ended, but the store did not take its end; it is tried again in the background. */
    default void recordingFailed(Claim claim, IdempotencyStoreException failure) {}

    /** A call ran without protection because the store could not be reached and the operation allows that. */
    default void ranUnprotected(Identity identity, IdempotencyStoreException failure) {}
}
