package io.idempotency.sample.simulator;

import java.time.OffsetDateTime;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Shows, at {@code GET /ledger}, what the simulated systems did: money moved, documents made, webhooks sent; with
 * {@code ?orderId=} for one order.
 */
final class LedgerSimulator implements Simulator {

    private static final int NEWEST = 100;

    private final JdbcClient jdbc;

    LedgerSimulator(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    @Override
    public Reply answer(Call call) {
        String orderId = call.query().get("orderId");
        return Reply.ok(new Ledger(
                entries("charges", Document.class, orderId),
                entries("invoices", Document.class, orderId),
                entries("mails", Mail.class, orderId),
                entries("deliveries", Delivery.class, orderId)));
    }

    private <T> Entries<T> entries(String table, Class<T> type, @Nullable String orderId) {
        String those = " from " + table + " where order_id = coalesce(cast(? as varchar), order_id)";
        return new Entries<>(
                jdbc.sql("select count(*)" + those)
                        .param(orderId)
                        .query(Long.class)
                        .single(),
                jdbc.sql("select *" + those + " order by at desc limit " + NEWEST)
                        .param(orderId)
                        .query(type)
                        .list());
    }

    /** All of it. */
    record Ledger(
            Entries<Document> charges, Entries<Document> invoices, Entries<Mail> mails, Entries<Delivery> deliveries) {}

    /**
     * The entries of one kind.
     *
     * @param count how many there are
     * @param newest the last hundred, the newest first
     */
    record Entries<T>(long count, List<T> newest) {}

    /**
     * A charge or an invoice.
     *
     * @param requests how often it was asked for
     */
    record Document(String id, String orderId, long amountCents, int requests, OffsetDateTime at) {}

    /** A mail that was sent. */
    record Mail(String id, String orderId, String recipient, String subject, OffsetDateTime at) {}

    /**
     * A webhook that was sent.
     *
     * @param attempt counts the deliveries of one event
     * @param answer the status that the shop answered, or what came instead
     */
    record Delivery(String eventId, String type, String orderId, int attempt, String answer, OffsetDateTime at) {}
}
