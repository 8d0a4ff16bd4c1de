/** Money taken from cards. */
@NullMarked
package io.idempotency.sample.charge;

import org.jspecify.annotations.NullMarked;
