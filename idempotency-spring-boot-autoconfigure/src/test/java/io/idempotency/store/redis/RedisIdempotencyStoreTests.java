package io.idempotency.store.redis;

import io.idempotency.core.IdempotencyStore;
import io.idempotency.store.IdempotencyStoreContract;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource
class RedisIdempotencyStoreTests extends IdempotencyStoreContract {

    private final TestRedis redis;

    RedisIdempotencyStoreTests(RedisTopology topology) {
        redis = new TestRedis(topology);
    }

    @AfterEach
    void close() {
        redis.close();
    }

    @Override
    public IdempotencyStore store() {
        return redis.store;
    }
}
