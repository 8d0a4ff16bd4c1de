package io.idempotency.core;

import java.time.Duration;
import java.util.Optional;

/**
 * What a store can do besides if its records are in the database of the application: take part in the transaction that is
 * open on the calling thread. Nothing of it is visible to anybody before that transaction is committed, and all of it is
 * undone by its rollback.
 *
 * <p>While a record is locked, {@link IdempotencyStore#claim} answers as in progress, {@link IdempotencyStore#renew} as
 * busy, and the other verbs wait until the transaction ends.
 *
 * <p>The verbs throw {@link IdempotencyStoreException} when the database fails or does not answer in time, and
 * {@link IllegalStateException} when {@link #obstacle()} is not empty.
 */
public interface TransactionalStore {

    /**
     * Says why the store cannot take part in the transaction of the calling thread, and what to do about it; empty where
     * it can.
     */
    Optional<String> obstacle();

    /**
     * Locks the record of a running claim by its owner. It must be the first statement of the transaction, so that the
     * work sees what earlier attempts have committed.
     */
    RecordLock lock(Claim claim);

    /**
     * Records a step, as {@link StepStore#recordStep} does, and starts the lease anew, which may be over by the time that
     * the record is locked no more.
     */
    Ownership recordStepInTransaction(Claim claim, StepRecord step);

    /** Records an outcome, as {@link IdempotencyStore#complete} does. */
    Ownership completeInTransaction(Claim claim, Outcome outcome, Duration retention);
}
