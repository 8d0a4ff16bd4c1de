package io.idempotency.core;

import java.time.Duration;

/**
 * What a store is asked when an operation is to be claimed.
 *
 * @param identity what the record is looked up by
 * @param fingerprint what was asked
 * @param owner who is to hold the claim; the same token sent again gets the same grant again
 * @param lease how long the claim lives without renewal
 * @param lifetime how long the record of a running claim is kept at the least when nobody touches it again; longer than
 *     the lease and everything that renewals may add to it
 * @param onAbandoned what becomes of this claim once its lease is over
 */
public record ClaimRequest(
        Identity identity,
        Fingerprint fingerprint,
        OwnerToken owner,
        Duration lease,
        Duration lifetime,
        OnAbandoned onAbandoned) {

    /** Asks for what a policy says: the record outlives every renewal and then stays for the retention. */
    public static ClaimRequest of(
            Identity identity, Fingerprint fingerprint, OwnerToken owner, OperationPolicy policy) {
        Duration lifetime = policy.maxDuration().plus(policy.lease()).plus(policy.retention());
        return new ClaimRequest(identity, fingerprint, owner, policy.lease(), lifetime, policy.onAbandoned());
    }
}
