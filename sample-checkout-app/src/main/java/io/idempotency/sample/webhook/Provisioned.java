package io.idempotency.sample.webhook;

/** What came of a completed checkout. */
record Provisioned(String orderId, String invoiceId, String accountId, String emailId) {}
