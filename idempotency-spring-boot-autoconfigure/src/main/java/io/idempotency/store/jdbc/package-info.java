/**
 * Keeps records in a table of a database. Read {@link io.idempotency.store.jdbc.JdbcIdempotencyStore}, then
 * {@link io.idempotency.store.jdbc.JdbcDialect} and the statements of one database.
 */
@NullMarked
package io.idempotency.store.jdbc;

import org.jspecify.annotations.NullMarked;
