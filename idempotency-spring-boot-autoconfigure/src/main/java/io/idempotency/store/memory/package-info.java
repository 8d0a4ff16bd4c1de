/** The store in the memory of one JVM, for development and tests. It forgets everything at a restart. */
@NullMarked
package io.idempotency.store.memory;

import org.jspecify.annotations.NullMarked;
