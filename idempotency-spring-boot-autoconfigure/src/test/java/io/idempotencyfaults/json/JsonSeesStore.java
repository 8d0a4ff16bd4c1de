package io.idempotencyfaults.json;

import io.idempotencyfaults.store.jdbc.JdbcStore;

public record JsonSeesStore(JdbcStore target) {}
