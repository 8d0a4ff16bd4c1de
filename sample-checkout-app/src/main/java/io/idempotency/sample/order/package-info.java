/** What customers order. */
@NullMarked
package io.idempotency.sample.order;

import org.jspecify.annotations.NullMarked;
