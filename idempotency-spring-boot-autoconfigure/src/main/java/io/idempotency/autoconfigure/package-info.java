/**
 * The wiring: what is active, of what it is made, and what the properties are called. No behaviour lives here, and
 * nothing else in this library sees this package.
 */
@NullMarked
package io.idempotency.autoconfigure;

import org.jspecify.annotations.NullMarked;
