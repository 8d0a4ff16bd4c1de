package io.idempotency.sample.mail;

import io.idempotency.sample.identifier.Identifiers;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Sends welcome mails, into a table. Asked twice, it sends two. */
@Repository
public class WelcomeMails {

    private final JdbcClient jdbc;

    WelcomeMails(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    public String send(String accountId, String recipient) {
        String id = Identifiers.next("eml");
        jdbc.sql("insert into emails (id, account_id, recipient) values (?, ?, ?)")
                .params(id, accountId, recipient)
                .update();
        return id;
    }
}
