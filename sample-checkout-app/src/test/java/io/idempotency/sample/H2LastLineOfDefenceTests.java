package io.idempotency.sample;

class H2LastLineOfDefenceTests extends LastLineOfDefenceStories implements OnH2 {

    @Override
    String sessionsInsertingALead() {
        return "select count(*) from information_schema.sessions where executing_statement like 'insert into leads%'";
    }
}
