/** Mails to customers. */
@NullMarked
package io.idempotency.sample.mail;

import org.jspecify.annotations.NullMarked;
