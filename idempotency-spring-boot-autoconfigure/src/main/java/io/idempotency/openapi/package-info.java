/** What the OpenAPI description of an application says about its protected operations. */
@NullMarked
package io.idempotency.openapi;

import org.jspecify.annotations.NullMarked;
