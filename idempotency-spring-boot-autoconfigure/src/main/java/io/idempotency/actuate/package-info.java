/** What the health endpoint of Spring Boot tells about the store. */
@NullMarked
package io.idempotency.actuate;

import org.jspecify.annotations.NullMarked;
