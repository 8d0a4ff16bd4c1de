package io.idempotency.sample.documentation;

import io.idempotency.annotation.Idempotent;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.annotation.Transactional;

/** The example of the documentation for a method whose effects are rows of the database that holds the records. */
class TransferService {

    private final JdbcClient database;

    TransferService(JdbcClient database) {
        this.database = database;
    }

    // snippet:transactional
    @Idempotent(operation = "transfer", key = "#transfer.id", transactional = true)
    @Transactional
    Receipt transfer(Transfer transfer) {
        add(transfer.from(), -transfer.amountCents());
        add(transfer.to(), transfer.amountCents());
        return new Receipt(transfer.id());
    }
    // end:transactional

    private void add(String account, long amountCents) {
        int changed = database.sql("UPDATE account SET cents = cents + ? WHERE name = ?")
                .params(amountCents, account)
                .update();
        if (changed == 0) {
            throw new IllegalArgumentException("No such account");
        }
    }

    record Transfer(String id, String from, String to, long amountCents) {}

    record Receipt(String transferId) {}
}
