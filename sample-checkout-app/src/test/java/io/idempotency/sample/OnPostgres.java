package io.idempotency.sample;

import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

/** Tests of a shop in PostgreSQL, with the profile for it. Test classes that are alike otherwise share one shop. */
interface OnPostgres {

    @DynamicPropertySource
    static void database(DynamicPropertyRegistry properties) {
        ShopDatabases.postgres(properties);
    }
}
