package io.idempotencyfaults.openapi;

import io.idempotencyfaults.store.jdbc.JdbcStore;

public record OpenApiSeesStore(JdbcStore target) {}
