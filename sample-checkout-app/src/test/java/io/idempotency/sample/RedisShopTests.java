package io.idempotency.sample;

import io.idempotency.testsupport.TestServers;
import org.springframework.test.context.ActiveProfiles;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

@ActiveProfiles("redis")
class RedisShopTests extends ShopStories {

    @DynamicPropertySource
    static void servers(DynamicPropertyRegistry properties) {
        ShopDatabases.h2(properties);
        TestServers.Redis server = TestServers.redis();
        properties.add("spring.data.redis.host", server::host);
        properties.add("spring.data.redis.port", server::port);
    }
}
