/**
 * Throughput over HTTP: the same application with and without the starter, and its protected handler beside the same one
 * unprotected.
 */
@NullMarked
package io.idempotency.benchmarks.http;

import org.jspecify.annotations.NullMarked;
