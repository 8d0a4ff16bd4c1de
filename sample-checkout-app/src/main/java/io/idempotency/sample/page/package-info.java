/** What the shop's page shows beside the ledger: what happens to the keys of this node. The page is in {@code static}. */
@NullMarked
package io.idempotency.sample.page;

import org.jspecify.annotations.NullMarked;
