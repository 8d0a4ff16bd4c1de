/** The specification of the engine: each rule of the protocol has a test here that fails when the rule is broken. */
@NullMarked
package io.idempotency.core;

import org.jspecify.annotations.NullMarked;
