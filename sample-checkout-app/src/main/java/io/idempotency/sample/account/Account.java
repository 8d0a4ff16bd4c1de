package io.idempotency.sample.account;

/**
 * What a customer bought.
 *
 * @param orderNumber what the shop names the order by
 * @param orderId what the customer's page named it by
 */
public record Account(String id, String orderNumber, String orderId, String paymentId) {}
