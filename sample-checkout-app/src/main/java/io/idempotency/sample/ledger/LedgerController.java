package io.idempotency.sample.ledger;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Shows the ledger. */
@RestController
class LedgerController {

    private final JdbcClient jdbc;

    private final CallCounter calls;

    LedgerController(JdbcClient jdbc, CallCounter calls) {
        this.jdbc = jdbc;
        this.calls = calls;
    }

    @GetMapping("/api/ledger")
    Ledger ledger() {
        return jdbc.sql("""
                select (select count(*) from charges) as charges,
                       (select count(*) from accounts) as accounts,
                       (select count(*) from invoices) as invoices,
                       (select count(*) from emails) as emails""")
                .query((row, number) -> new Ledger(
                        row.getLong("charges"),
                        row.getLong("accounts"),
                        row.getLong("invoices"),
                        row.getLong("emails"),
                        calls.executions(),
                        calls.replays(),
                        calls.conflicts()))
                .single();
    }
}
