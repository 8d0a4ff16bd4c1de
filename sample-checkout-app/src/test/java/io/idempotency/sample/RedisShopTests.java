package io.idempotency.sample;

import org.springframework.test.context.ActiveProfiles;

@ActiveProfiles("redis")
class RedisShopTests extends ShopStories implements OnRedis {}
