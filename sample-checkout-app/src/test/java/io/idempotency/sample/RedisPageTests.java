package io.idempotency.sample;

import org.springframework.test.context.ActiveProfiles;

@ActiveProfiles("redis")
class RedisPageTests extends PageStories implements OnRedis {}
