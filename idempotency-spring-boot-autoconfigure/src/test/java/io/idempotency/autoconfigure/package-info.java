/** The specification of the wiring. */
@NullMarked
package io.idempotency.autoconfigure;

import org.jspecify.annotations.NullMarked;
