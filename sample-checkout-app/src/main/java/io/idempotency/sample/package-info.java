/** A small shop that shows what the starter is for. Start at {@code webhook} or {@code checkout}. */
@NullMarked
package io.idempotency.sample;

import org.jspecify.annotations.NullMarked;
