package io.idempotency.sample.checkout;

/** An order that was paid. */
record Checkout(String id, String orderId, String chargeId, String accountId, String emailId) {}
