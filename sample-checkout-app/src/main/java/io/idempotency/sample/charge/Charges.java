package io.idempotency.sample.charge;

import io.idempotency.sample.identifier.Identifiers;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Charges cards. Asked twice, it charges twice: nothing in here knows about retries. */
@Repository
public class Charges {

    private final JdbcClient jdbc;

    Charges(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    public String charge(String orderId, long amountCents) {
        String id = Identifiers.next("ch");
        jdbc.sql("insert into charges (id, order_id, amount_cents) values (?, ?, ?)")
                .params(id, orderId, amountCents)
                .update();
        return id;
    }
}
