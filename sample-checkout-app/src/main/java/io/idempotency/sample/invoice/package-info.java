/** Invoices, and the slow remote service that issues them. */
@NullMarked
package io.idempotency.sample.invoice;

import org.jspecify.annotations.NullMarked;
