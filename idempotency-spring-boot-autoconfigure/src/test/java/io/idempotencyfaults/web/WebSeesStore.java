package io.idempotencyfaults.web;

import io.idempotencyfaults.store.jdbc.JdbcStore;

public record WebSeesStore(JdbcStore target) {}
