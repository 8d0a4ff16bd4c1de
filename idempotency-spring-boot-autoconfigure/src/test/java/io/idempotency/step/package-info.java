/** Tests of the steps of operations. */
@NullMarked
package io.idempotency.step;

import org.jspecify.annotations.NullMarked;
