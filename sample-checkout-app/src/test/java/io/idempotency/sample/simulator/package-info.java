/** The world outside of the shop, by itself. */
@NullMarked
package io.idempotency.sample.simulator;

import org.jspecify.annotations.NullMarked;
