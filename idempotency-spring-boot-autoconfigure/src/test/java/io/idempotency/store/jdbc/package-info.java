/** The JDBC store against real databases. */
@NullMarked
package io.idempotency.store.jdbc;

import org.jspecify.annotations.NullMarked;
