package io.idempotency.store.redis;

import io.idempotency.core.IdempotencyStore;
import io.idempotency.store.IdempotencyStoreContract;
import org.junit.jupiter.api.AfterAll;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

class RedisIdempotencyStoreTests extends IdempotencyStoreContract {

    private static final LettuceConnectionFactory CONNECTIONS = TestRedis.newConnectionFactory();

    private final IdempotencyStore store = new RedisIdempotencyStore(CONNECTIONS, "contract:");

    @AfterAll
    static void close() {
        CONNECTIONS.destroy();
    }

    @Override
    public IdempotencyStore store() {
        return store;
    }
}
