package io.idempotency.sample.invoice;

import io.idempotency.sample.account.Account;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** The shop's copies of invoices, one for each event: the constraint {@code unique_checkout_event_id} says so. */
@Repository
public class Invoices {

    private final JdbcClient jdbc;

    Invoices(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /**
     * Files an invoice, unless this very one is filed already.
     *
     * @throws org.springframework.dao.DuplicateKeyException if the event has another invoice
     */
    public void file(Invoice invoice, String checkoutEventId, Account account, long amountCents) {
        if (!isFiled(invoice)) {
            jdbc.sql("insert into invoices (id, checkout_event_id, account_id, amount_cents) values (?, ?, ?, ?)")
                    .params(invoice.id(), checkoutEventId, account.id(), amountCents)
                    .update();
        }
    }

    private boolean isFiled(Invoice invoice) {
        return jdbc.sql("select count(*) from invoices where id = ?")
                        .param(invoice.id())
                        .query(Long.class)
                        .single()
                > 0;
    }
}
