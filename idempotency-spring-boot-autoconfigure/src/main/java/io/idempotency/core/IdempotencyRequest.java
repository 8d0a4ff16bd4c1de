package io.idempotency.core;

/**
 * One call of an operation, as a door hands it to the engine.
 *
 * @param key what identifies the intent
 * @param fingerprint what was asked
 * @param policy how the operation is protected
 */
public record IdempotencyRequest(IdempotencyKey key, Fingerprint fingerprint, OperationPolicy policy) {}
