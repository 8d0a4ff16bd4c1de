package io.idempotency.sample;

import org.springframework.test.context.ActiveProfiles;

@ActiveProfiles("postgres")
class PostgresShopTests extends ShopStories implements OnPostgres {}
