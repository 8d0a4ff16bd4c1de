/** Names of new things. */
@NullMarked
package io.idempotency.sample.identifier;

import org.jspecify.annotations.NullMarked;
