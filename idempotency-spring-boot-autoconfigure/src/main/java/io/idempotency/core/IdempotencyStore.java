package io.idempotency.core;

import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;

/**
 * Keeps one record per identity, with one verb for each atomic operation. Implementations are thread-safe.
 *
 * <p>The rules, held by {@code IdempotencyStoreContract} and, about locks, by the tests of the JDBC store:
 *
 * <ol>
 *   <li>Every verb is atomic. Of any number of claims on one identity exactly one is granted, whatever state the record
 *       is in; losing a race means reading again.
 *   <li>Leases and retention are measured by the store's own clock, never by the caller's.
 *   <li>{@code renew}, {@code complete}, {@code release} and {@code hold} act for the owner token only; everybody else
 *       is told {@link Ownership#LOST} and changes nothing. The same verb sent again by the same owner answers as before
 *       and changes nothing.
 *   <li>{@code claim} and {@code renew} never wait for a record that another transaction has locked. The other verbs may
 *       wait for a moment: they must not be lost because a renewal is under way.
 *   <li>No verb takes part in a transaction of the calling thread: what it wrote is visible when it returns.
 * </ol>
 *
 * <p>Every verb throws {@link IdempotencyStoreException} when the store cannot be reached or does not answer as
 * expected. Whether the write was applied is then unknown.
 */
public interface IdempotencyStore {

    /**
     * Claims the right to execute, or reads what stands in its way. Checks in this order:
     *
     * <ol>
     *   <li>the claim is the same owner's already (its reply was lost): granted again, same attempt, new lease;
     *   <li>the record is expired: forgotten and granted as a new generation. Where the store still has its
     *       attempt, the attempt counts on;
     *   <li>the record is bound to another fingerprint: {@link ClaimOutcome.Mismatch}. A record is bound in every state
     *       but {@link RecordState#RETRYABLE} without recorded steps, which takes the new fingerprint;
     *   <li>the state: an outcome, a doubt or a running lease is answered as it stands; a retryable record is granted;
     *       a lease that is over is a takeover, or becomes {@link RecordState#IN_DOUBT} where the <em>holder</em> asked
     *       for {@link OnAbandoned#HOLD}.
     * </ol>
     *
     * <p>A record that another transaction has locked is answered as {@link ClaimOutcome.InProgress}.
     */
    ClaimOutcome claim(ClaimRequest request);

    /**
     * Starts the leases of running claims anew, skipping records that are locked. Where a part of the store fails, the
     * claims in it are {@link Renewal#BUSY} and the others get their answers.
     *
     * @return one answer for each of the claims
     */
    Map<Claim, Renewal> renew(Collection<Claim> claims);

    /**
     * Records an outcome, from {@link RecordState#IN_PROGRESS}, or from {@link RecordState#IN_DOUBT} by the owner that
     * held it. An owner whose lease is over but was not taken over is still the owner.
     *
     * @param retention how long the outcome is replayed, counted from now on the store's clock
     */
    Ownership complete(Claim claim, Outcome outcome, Duration retention);

    /**
     * Ends an attempt without an outcome, from the same states as {@link #complete}: the next call executes.
     *
     * @param retention how long the attempt number is kept, counted from now on the store's clock
     */
    Ownership release(Claim claim, Duration retention);

    /** Ends an attempt with a doubt: nobody may execute until the record is resolved. It never expires. */
    Ownership hold(Claim claim);

    /**
     * Resolves a doubt, if the record is in doubt and its attempt is the one that the operator saw.
     *
     * @return whether it was resolved
     */
    boolean resolve(Identity identity, long attempt, Resolution resolution);

    /** Reads a record; empty where there is none or it is expired. */
    Optional<IdempotencyRecord> find(Identity identity);
}
