package io.idempotency.sample;

import io.idempotency.testsupport.TestServers;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

/** Tests of a shop with its records in Redis, with the profile for it. Test classes that are alike otherwise share one shop. */
interface OnRedis {

    @DynamicPropertySource
    static void servers(DynamicPropertyRegistry properties) {
        ShopDatabases.h2(properties);
        TestServers.Redis server = TestServers.redis();
        properties.add("spring.data.redis.host", server::host);
        properties.add("spring.data.redis.port", server::port);
    }
}
