/**
 * The engine: claims, runs, records, renews. It imports the JDK, JSpecify and SLF4J and nothing else, so that it knows
 * neither Spring nor Redis nor JDBC; {@code ArchitectureTests} holds that.
 *
 * <p>Read {@link io.idempotency.core.IdempotencyTemplate} from top to bottom, then
 * {@link io.idempotency.core.IdempotencyStore} and {@link io.idempotency.core.ClaimOutcome}.
 */
@NullMarked
package io.idempotency.core;

import org.jspecify.annotations.NullMarked;
