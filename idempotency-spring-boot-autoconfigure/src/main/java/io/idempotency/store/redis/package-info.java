/**
 * The store in Redis, from version 6.2 on: one key per record and one Lua script per verb. The scripts lie beside these
 * classes; {@code record.lua} has the layout.
 */
@NullMarked
package io.idempotency.store.redis;

import org.jspecify.annotations.NullMarked;
