/** Tests of the clients that send the keys of steps. */
@NullMarked
package io.idempotency.client;

import org.jspecify.annotations.NullMarked;
