package io.idempotency.sample.lead;

import io.idempotency.sample.identifier.Identifiers;
import java.util.Locale;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/**
 * The addresses that checkouts came from, each once. A customer who comes again is known already; two first checkouts at
 * the same moment both find nothing, and then the constraint {@code unique_lead_email} lets one of them through.
 */
@Repository
public class Leads {

    private final JdbcClient jdbc;

    Leads(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /**
     * Returns the lead with this address, and captures it first if it is new.
     *
     * @throws org.springframework.dao.DuplicateKeyException if another checkout captures the same address just now
     */
    public String captured(String email) {
        String normalizedEmail = normalized(email);
        return jdbc.sql("select id from leads where normalized_email = ?")
                .param(normalizedEmail)
                .query(String.class)
                .optional()
                .orElseGet(() -> insert(normalizedEmail));
    }

    /**
     * Captures a new lead.
     *
     * @throws org.springframework.dao.DuplicateKeyException if the address was captured before
     */
    public String capture(String email) {
        return insert(normalized(email));
    }

    private static String normalized(String email) {
        return email.strip().toLowerCase(Locale.ROOT);
    }

    private String insert(String normalizedEmail) {
        String id = Identifiers.next("lead");
        jdbc.sql("insert into leads (id, normalized_email) values (?, ?)")
                .params(id, normalizedEmail)
                .update();
        return id;
    }
}
