/** The application that is measured over HTTP. */
@NullMarked
package io.idempotency.benchmarks.shop;

import org.jspecify.annotations.NullMarked;
