/** Health, over real stores. */
@NullMarked
package io.idempotency.actuate;

import org.jspecify.annotations.NullMarked;
