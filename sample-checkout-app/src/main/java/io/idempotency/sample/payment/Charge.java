package io.idempotency.sample.payment;

/**
 * Money that was taken from a card.
 *
 * @param id what the gateway names the payment by
 */
public record Charge(String id) {}
