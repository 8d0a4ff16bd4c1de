package io.idempotency.store;

/**
 * The contract of {@link io.idempotency.core.IdempotencyStore}. The test class of a store extends it, supplies the store
 * and runs all parts against it:
 *
 * <ul>
 *   <li>{@link ClaimContract}: who is granted, and what everybody else is told
 *   <li>{@link OwnershipContract}: who may write after a claim
 *   <li>{@link AbandonmentContract}: what becomes of a claim whose lease is over
 *   <li>{@link DoubtContract}: records that wait for an operator
 *   <li>{@link OutcomeContract}: what comes back of an outcome, and for how long
 *   <li>{@link StepContract}: what is recorded of steps, for a store that is a {@link io.idempotency.core.StepStore} too
 *   <li>{@link StepOwnershipContract}: who may record a step
 *   <li>{@link StepDecisionContract}: what an operator decides about steps
 *   <li>{@link WorkflowContract}: how operations of several steps go on over it
 * </ul>
 *
 * <p>Every test uses identities of its own, so one store may serve all of them.
 */
public abstract class IdempotencyStoreContract
        implements ClaimContract,
                OwnershipContract,
                AbandonmentContract,
                DoubtContract,
                OutcomeContract,
                StepContract,
                StepOwnershipContract,
                StepDecisionContract,
                WorkflowContract {}
