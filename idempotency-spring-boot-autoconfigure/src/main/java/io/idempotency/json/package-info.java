/**
 * Values as JSON: how return values are recorded and given back, and how fingerprints of arguments are taken. The mappers
 * are this library's own, so that a change in how an application talks to its clients changes no stored outcome.
 */
@NullMarked
package io.idempotency.json;

import org.jspecify.annotations.NullMarked;
