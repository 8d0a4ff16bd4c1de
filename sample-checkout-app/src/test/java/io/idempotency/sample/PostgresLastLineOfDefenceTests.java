package io.idempotency.sample;

import org.springframework.test.context.ActiveProfiles;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

@ActiveProfiles("postgres")
class PostgresLastLineOfDefenceTests extends LastLineOfDefenceStories {

    @DynamicPropertySource
    static void database(DynamicPropertyRegistry properties) {
        ShopDatabases.postgres(properties);
    }

    @Override
    String sessionsInsertingALead() {
        return "select count(*) from pg_stat_activity where state = 'active' and query like 'insert into leads%'";
    }
}
