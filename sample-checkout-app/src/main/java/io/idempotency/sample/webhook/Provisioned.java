package io.idempotency.sample.webhook;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * What came of a payment.
 *
 * @param emailId {@code null} where the checkout sends the mail, or nobody does because the payment was given back
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record Provisioned(
        String orderId,
        String invoiceId,
        String accountId,
        @Nullable String emailId) {}
