/** The payment gateway, and what is known of each payment. */
@NullMarked
package io.idempotency.sample.payment;

import org.jspecify.annotations.NullMarked;
