/** Control over the slow remote invoicing service. */
@NullMarked
package io.idempotency.sample.invoice;

import org.jspecify.annotations.NullMarked;
