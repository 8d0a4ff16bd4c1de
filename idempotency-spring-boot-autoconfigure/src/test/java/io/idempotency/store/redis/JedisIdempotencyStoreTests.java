package io.idempotency.store.redis;

import io.idempotency.core.IdempotencyStore;
import io.idempotency.store.IdempotencyStoreContract;
import io.idempotency.testsupport.TestServers;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;

/** The other client library that Spring Boot knows. */
class JedisIdempotencyStoreTests {

    @Nested
    class OneServer extends Contract {

        OneServer() {
            super(new JedisConnectionFactory(RedisTopology.standalone(TestServers.redis62())));
        }
    }

    @Nested
    class Cluster extends Contract {

        Cluster() {
            super(new JedisConnectionFactory(RedisTopology.cluster(TestServers.redisCluster())));
        }
    }

    private abstract static class Contract extends IdempotencyStoreContract {

        private final JedisConnectionFactory connections;

        private final IdempotencyStore store;

        Contract(JedisConnectionFactory connections) {
            this.connections = connections;
            this.store = new RedisIdempotencyStore(connections, "jedis:", TestRedis.STORE_TIMEOUT);
            connections.afterPropertiesSet();
        }

        @AfterEach
        void close() {
            connections.destroy();
        }

        @Override
        public IdempotencyStore store() {
            return store;
        }
    }
}
