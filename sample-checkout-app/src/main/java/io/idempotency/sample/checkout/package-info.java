/** The checkout that the shop's own page calls: charge, account, mail. */
@NullMarked
package io.idempotency.sample.checkout;

import org.jspecify.annotations.NullMarked;
