@NullMarked
package io.idempotency.interceptor;

import org.jspecify.annotations.NullMarked;
