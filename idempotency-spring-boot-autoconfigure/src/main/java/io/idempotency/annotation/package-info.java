/** The annotations that users write on their methods. */
@NullMarked
package io.idempotency.annotation;

import org.jspecify.annotations.NullMarked;
