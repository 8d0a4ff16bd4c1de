package io.idempotency.core;

import java.time.Duration;

/**
 * What a store knows about one identity, without its outcome.
 *
 * @param identity what the record is looked up by
 * @param state where the record stands
 * @param attempt the newest attempt
 * @param remainingLease how long the claim still lives without renewal; zero or less when it is over or nobody holds it
 */
public record IdempotencyRecord(Identity identity, RecordState state, long attempt, Duration remainingLease) {}
