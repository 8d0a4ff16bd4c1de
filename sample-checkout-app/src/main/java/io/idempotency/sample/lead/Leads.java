package io.idempotency.sample.lead;

import io.idempotency.sample.identifier.Identifiers;
import java.util.Locale;
import java.util.Optional;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/**
 * The addresses that checkouts came from, each once, as the constraint {@code unique_lead_email} says. A customer who comes
 * again is known already.
 */
@Repository
public class Leads {

    private final JdbcClient jdbc;

    Leads(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** Returns the lead with this address, and captures it first if it is new. */
    public String captured(String email) {
        String normalizedEmail = normalized(email);
        return find(normalizedEmail).orElseGet(() -> insertOrFind(normalizedEmail));
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

    private Optional<String> find(String normalizedEmail) {
        return jdbc.sql("select id from leads where normalized_email = ?")
                .param(normalizedEmail)
                .query(String.class)
                .optional();
    }

    private String insertOrFind(String normalizedEmail) {
        try {
            return insert(normalizedEmail);
        } catch (DuplicateKeyException captured) {
            // Two first checkouts of one customer at the same moment have both found nothing.
            return find(normalizedEmail).orElseThrow(() -> captured);
        }
    }

    private String insert(String normalizedEmail) {
        String id = Identifiers.next("lead");
        jdbc.sql("insert into leads (id, normalized_email) values (?, ?)")
                .params(id, normalizedEmail)
                .update();
        return id;
    }
}
