package io.idempotency.sample.mail;

/** A mail that was sent. */
public record Mail(String id) {}
