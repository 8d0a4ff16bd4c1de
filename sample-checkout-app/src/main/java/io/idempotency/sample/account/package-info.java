/** What a customer bought. */
@NullMarked
package io.idempotency.sample.account;

import org.jspecify.annotations.NullMarked;
