/** The webhook by which the payment gateway reports checkouts that were completed on its own page. */
@NullMarked
package io.idempotency.sample.webhook;

import org.jspecify.annotations.NullMarked;
