package io.idempotency.sample.invoice;

/** An invoice that was issued. */
public record Invoice(String id) {}
