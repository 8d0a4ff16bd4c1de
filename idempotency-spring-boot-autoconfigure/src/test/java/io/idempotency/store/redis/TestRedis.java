package io.idempotency.store.redis;

import io.idempotency.testsupport.TestServers;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** Connections to the Redis of the tests. */
final class TestRedis {

    private TestRedis() {}

    /** Returns a started factory; the caller destroys it. */
    static LettuceConnectionFactory newConnectionFactory() {
        TestServers.Redis server = TestServers.redis();
        LettuceConnectionFactory factory = new LettuceConnectionFactory(server.host(), server.port());
        factory.afterPropertiesSet();
        return factory;
    }
}
