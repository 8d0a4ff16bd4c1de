/** The Redis store, on a real server. */
@NullMarked
package io.idempotency.store.redis;

import org.jspecify.annotations.NullMarked;
