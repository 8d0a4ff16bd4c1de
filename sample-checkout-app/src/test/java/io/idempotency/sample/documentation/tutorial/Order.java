package io.idempotency.sample.documentation.tutorial;

/** What a customer wants to pay. */
record Order(String id, String email, long amountCents) {}
