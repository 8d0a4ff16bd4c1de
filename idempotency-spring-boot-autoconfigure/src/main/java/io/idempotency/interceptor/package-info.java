/**
 * The method door: from {@link io.idempotency.annotation.Idempotent} to a call of the engine.
 *
 * <ol>
 *   <li>{@link io.idempotency.interceptor.IdempotentMethodSource} reads the annotation into an
 *       {@link io.idempotency.interceptor.IdempotentMethod} once per method.
 *   <li>{@link io.idempotency.interceptor.AnnotatedMethodAdvisor} asks it which methods get the
 *       {@link io.idempotency.interceptor.IdempotentMethodInterceptor}, and
 *       {@link io.idempotency.interceptor.IdempotentMethodVerifier} stops the start where that would not protect them.
 *   <li>The interceptor hands a call to the {@link io.idempotency.interceptor.InvocationDoor} that owns it; without one it
 *       is an ordinary call, whose outcome is the return value.
 * </ol>
 *
 * <p>{@link io.idempotency.annotation.IdempotentStep} takes the same way by the types that are named after it, to a call of
 * {@link io.idempotency.step.IdempotentSteps}.
 */
@NullMarked
package io.idempotency.interceptor;

import org.jspecify.annotations.NullMarked;
