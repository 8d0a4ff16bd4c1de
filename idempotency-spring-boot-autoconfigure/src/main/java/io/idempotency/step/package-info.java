/**
 * Steps: the parts of an operation that are each done once over all of its attempts. Read {@link
 * io.idempotency.step.IdempotentSteps} first.
 */
@NullMarked
package io.idempotency.step;

import org.jspecify.annotations.NullMarked;
