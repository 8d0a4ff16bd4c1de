/** What was done, and how often. */
@NullMarked
package io.idempotency.sample.ledger;

import org.jspecify.annotations.NullMarked;
