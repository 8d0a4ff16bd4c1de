package io.idempotency.sample;

import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

class H2ShopTests extends ShopStories implements WorkerStories {

    @DynamicPropertySource
    static void database(DynamicPropertyRegistry properties) {
        ShopDatabases.h2(properties);
    }
}
