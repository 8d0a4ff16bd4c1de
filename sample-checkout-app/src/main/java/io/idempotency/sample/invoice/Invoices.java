package io.idempotency.sample.invoice;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** The invoices that were issued, one for each event: the constraint {@code unique_checkout_event_id} says so. */
@Repository
public class Invoices {

    private final JdbcClient jdbc;

    Invoices(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /**
     * Files an invoice.
     *
     * @throws org.springframework.dao.DuplicateKeyException if the event has an invoice
     */
    public void file(String invoiceId, String checkoutEventId, String accountId, long amountCents) {
        jdbc.sql("insert into invoices (id, checkout_event_id, account_id, amount_cents) values (?, ?, ?, ?)")
                .params(invoiceId, checkoutEventId, accountId, amountCents)
                .update();
    }
}
