package io.idempotency.sample;

import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

/** Tests of a shop with its default database. Test classes that are alike otherwise share one shop. */
interface OnH2 {

    @DynamicPropertySource
    static void database(DynamicPropertyRegistry properties) {
        ShopDatabases.h2(properties);
    }
}
