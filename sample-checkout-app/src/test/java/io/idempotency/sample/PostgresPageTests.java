package io.idempotency.sample;

import org.springframework.test.context.ActiveProfiles;

@ActiveProfiles("postgres")
class PostgresPageTests extends PageStories implements OnPostgres {}
