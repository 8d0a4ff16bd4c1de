package io.idempotency.sample.account;

import io.idempotency.sample.identifier.Identifiers;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Opens accounts. Asked twice, it opens two. */
@Repository
public class Accounts {

    private final JdbcClient jdbc;

    Accounts(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    public String open(String orderId, String email, String plan) {
        String id = Identifiers.next("acc");
        jdbc.sql("insert into accounts (id, order_id, email, plan) values (?, ?, ?, ?)")
                .params(id, orderId, email, plan)
                .update();
        return id;
    }
}
