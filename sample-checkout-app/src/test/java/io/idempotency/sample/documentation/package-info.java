/** Holds the documentation to the code. */
@NullMarked
package io.idempotency.sample.documentation;

import org.jspecify.annotations.NullMarked;
