/** A second node that is killed in the middle of a checkout, so that one can see this node finish it. */
@NullMarked
package io.idempotency.sample.worker;

import org.jspecify.annotations.NullMarked;
