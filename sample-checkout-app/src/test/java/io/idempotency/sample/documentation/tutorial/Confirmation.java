package io.idempotency.sample.documentation.tutorial;

/** What the customer is told. */
record Confirmation(String orderId, String chargeId, String accountId) {}
