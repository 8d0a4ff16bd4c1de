package io.idempotency.sample;

import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

class H2LastLineOfDefenceTests extends LastLineOfDefenceStories {

    @DynamicPropertySource
    static void database(DynamicPropertyRegistry properties) {
        ShopDatabases.h2(properties);
    }

    @Override
    String sessionsInsertingALead() {
        return "select count(*) from information_schema.sessions where executing_statement like 'insert into leads%'";
    }
}
