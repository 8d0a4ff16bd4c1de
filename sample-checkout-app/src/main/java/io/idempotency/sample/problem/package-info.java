/** What the shop answers when it cannot do what was asked. */
@NullMarked
package io.idempotency.sample.problem;

import org.jspecify.annotations.NullMarked;
