/**
 * The HTTP door: from a request to a call of the engine, and from its outcome to the recorded or replayed response.
 *
 * <p>{@link io.idempotency.web.IdempotencyFilter} begins an exchange, {@link io.idempotency.web.HandlerActivation}
 * protects it when an annotated handler was mapped, {@link io.idempotency.web.WebInvocationDoor} claims around the
 * handler, and the filter records and releases the response at the end.
 */
@NullMarked
package io.idempotency.web;

import org.jspecify.annotations.NullMarked;
