package io.idempotencyfaults.actuate;

import io.idempotencyfaults.store.jdbc.JdbcStore;

public record ActuateSeesStore(JdbcStore target) {}
