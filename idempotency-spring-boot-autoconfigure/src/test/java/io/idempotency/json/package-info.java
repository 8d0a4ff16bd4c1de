@NullMarked
package io.idempotency.json;

import org.jspecify.annotations.NullMarked;
