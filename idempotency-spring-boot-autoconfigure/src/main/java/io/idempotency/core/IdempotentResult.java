package io.idempotency.core;

import org.jspecify.annotations.Nullable;

/**
 * The value of an operation and how it came about.
 *
 * @param value what the operation gave; {@code null} where it gave nothing
 * @param replayed whether the value was recorded by an earlier call and nothing ran
 * @param attempt the attempt that gave the value; 0 where the call ran without protection
 */
public record IdempotentResult<T extends @Nullable Object>(T value, boolean replayed, long attempt) {}
