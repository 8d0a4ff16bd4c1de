package io.idempotency.sample.simulator;

import io.idempotency.sample.identifier.Identifiers;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The charges, or the invoices. Whoever sends an {@code Idempotency-Key} gets one row for it, however often it asks; whoever
 * sends none gets one for each request.
 */
final class KeyedTable {

    private final JdbcClient jdbc;

    private final String name;

    private final String prefix;

    /**
     * Describes a table.
     *
     * @param prefix what its identifiers begin with
     */
    KeyedTable(JdbcClient jdbc, String name, String prefix) {
        this.jdbc = jdbc;
        this.name = name;
        this.prefix = prefix;
    }

    /** Makes a row, or finds the one that was made for the key. */
    synchronized Made make(@Nullable String key, String orderId, long amountCents) {
        Optional<Row> earlier = asked(key);
        if (earlier.isPresent()) {
            return new Made(earlier.get(), false);
        }
        String id = Identifiers.next(prefix);
        jdbc.sql("insert into " + name + " (id, idempotency_key, order_id, amount_cents) values (?, ?, ?, ?)")
                .param(id)
                .param(key)
                .param(orderId)
                .param(amountCents)
                .update();
        return new Made(new Row(id, orderId, amountCents, 1), true);
    }

    private Optional<Row> asked(@Nullable String key) {
        if (key == null) {
            return Optional.empty();
        }
        jdbc.sql("update " + name + " set requests = requests + 1 where idempotency_key = ?")
                .param(key)
                .update();
        return jdbc.sql("select id, order_id, amount_cents, requests from " + name + " where idempotency_key = ?")
                .param(key)
                .query(Row.class)
                .optional();
    }

    /**
     * One row.
     *
     * @param requests how often it was asked for
     */
    record Row(String id, String orderId, long amountCents, int requests) {

        boolean isFor(String order, long cents) {
            return orderId.equals(order) && amountCents == cents;
        }
    }

    /**
     * What a request got.
     *
     * @param now whether it was made by this request
     */
    record Made(Row row, boolean now) {}
}
