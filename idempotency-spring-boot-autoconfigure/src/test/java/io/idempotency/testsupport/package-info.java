/** What tests of several packages share: real servers. */
@NullMarked
package io.idempotency.testsupport;

import org.jspecify.annotations.NullMarked;
