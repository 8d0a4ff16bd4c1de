/** Tests of protected methods that containers call: listeners of messages and events, and scheduled methods. */
@NullMarked
package io.idempotency.listener;

import org.jspecify.annotations.NullMarked;
