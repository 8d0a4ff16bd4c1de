package io.idempotencyfaults.store.redis;

import io.idempotencyfaults.store.jdbc.JdbcStore;

public record RedisSeesJdbc(JdbcStore target) {}
