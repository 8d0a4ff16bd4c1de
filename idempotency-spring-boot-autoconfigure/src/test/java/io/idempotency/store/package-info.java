/** The contract that every store is held to. */
@NullMarked
package io.idempotency.store;

import org.jspecify.annotations.NullMarked;
