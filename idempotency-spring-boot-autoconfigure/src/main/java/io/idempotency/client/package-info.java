/** Calls to other systems that carry the key of the step that makes them. */
@NullMarked
package io.idempotency.client;

import org.jspecify.annotations.NullMarked;
