/** How the shop reaches the systems that it depends on. */
@NullMarked
package io.idempotency.sample.client;

import org.jspecify.annotations.NullMarked;
