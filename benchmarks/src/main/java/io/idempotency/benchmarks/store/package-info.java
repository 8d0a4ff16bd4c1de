/** The verbs of the stores, measured by JMH. */
@NullMarked
package io.idempotency.benchmarks.store;

import org.jspecify.annotations.NullMarked;
