/** What the protection costs. Start reading at {@link io.idempotency.benchmarks.Benchmarks}. */
@NullMarked
package io.idempotency.benchmarks;

import org.jspecify.annotations.NullMarked;
