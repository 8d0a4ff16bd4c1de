/** The shop's page, as a browser shows it. */
@NullMarked
package io.idempotency.sample.page;

import org.jspecify.annotations.NullMarked;
