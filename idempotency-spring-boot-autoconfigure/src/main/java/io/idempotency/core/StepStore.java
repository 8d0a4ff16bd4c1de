package io.idempotency.core;

/**
 * What a store can do besides: record the steps of running operations. A claim that is granted brings all that are
 * recorded in {@link ClaimOutcome.Granted#steps()}.
 *
 * <p>Steps stay as long as the record that they belong to. They are gone once it is expired, also where it is claimed anew.
 * A record of which steps were recorded is bound to its fingerprint in every state. {@link IdempotencyStore#resolve} with
 * {@link Resolution.Retry} forgets those that are {@link StepState#RUNNING}: the operator has found that they may be run.
 *
 * <p>The verbs follow the rules of {@link IdempotencyStore}: they are atomic, act for the owner of a claim in progress
 * only, write nothing and say so for everybody else, may be sent again, and take no part in a transaction of the calling
 * thread.
 */
public interface StepStore {

    /** Records a step, in the place of what was recorded of it before. */
    Ownership recordStep(Claim claim, StepRecord step);

    /** Forgets a step, if there is one. */
    Ownership forgetStep(Claim claim, StepIdentity step);

    /**
     * Gives a step its result, of which an operator has found that it was done: if the record is in doubt, its attempt is the
     * one that the operator saw, and the step is {@link StepState#RUNNING}. The record stays in doubt until
     * {@link IdempotencyStore#resolve} with {@link Resolution.Retry}, so that several steps can be given theirs; what is
     * running then is forgotten.
     *
     * @param result what {@link OutcomeCodec#encode} gives, for the type by which the code asks for the step
     * @return whether the step has got its result by this call
     */
    boolean resolveStep(Identity identity, long attempt, StepIdentity step, Outcome result);
}
