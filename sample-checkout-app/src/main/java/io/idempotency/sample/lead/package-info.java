/** The addresses that checkouts came from. */
@NullMarked
package io.idempotency.sample.lead;

import org.jspecify.annotations.NullMarked;
