/** The steps of the tutorial, each a checkout of its own beside the one that the reader ends up with. */
@NullMarked
package io.idempotency.sample.documentation.tutorial;

import org.jspecify.annotations.NullMarked;
