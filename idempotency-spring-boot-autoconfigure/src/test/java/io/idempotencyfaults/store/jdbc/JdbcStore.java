package io.idempotencyfaults.store.jdbc;

public record JdbcStore() {}
