package io.idempotency.core;

import java.time.Duration;

/**
 * The exclusive right to execute, granted by a store and held by one owner token. It is shown with every later write.
 *
 * @param identity what the record is looked up by
 * @param owner who holds the claim
 * @param attempt 1, 2, 3 … of this identity, never going back while the record lives; the fencing token for user code
 * @param lease how long the claim lives without renewal
 */
public record Claim(Identity identity, OwnerToken owner, long attempt, Duration lease) {}
