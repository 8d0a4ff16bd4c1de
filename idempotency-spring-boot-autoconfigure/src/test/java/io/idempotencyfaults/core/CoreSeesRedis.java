package io.idempotencyfaults.core;

import org.springframework.data.redis.connection.RedisConnectionFactory;

public record CoreSeesRedis(RedisConnectionFactory target) {}
