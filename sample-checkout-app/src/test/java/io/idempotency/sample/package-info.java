/** The stories of the shop, end to end over HTTP. */
@NullMarked
package io.idempotency.sample;

import org.jspecify.annotations.NullMarked;
