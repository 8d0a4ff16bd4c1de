/**
 * The method door: from {@link io.idempotency.annotation.Idempotent} to a call of the engine.
 *
 * <p>{@link io.idempotency.interceptor.IdempotentMethodSource} reads the annotation into an
 * {@link io.idempotency.interceptor.IdempotentMethod} once per method; pointcut and interceptor ask the same source. An
 * {@link io.idempotency.interceptor.InvocationDoor} takes over the invocations that are not ordinary method calls.
 */
@NullMarked
package io.idempotency.interceptor;

import org.jspecify.annotations.NullMarked;
