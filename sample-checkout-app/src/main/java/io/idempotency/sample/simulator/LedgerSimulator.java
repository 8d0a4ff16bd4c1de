package io.idempotency.sample.simulator;

import java.time.OffsetDateTime;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Shows, at {@code GET /ledger}, what the simulated systems did: money moved, documents made, webhooks sent; with
 * {@code ?orderId=} for one order.
 */
final class LedgerSimulator implements Simulator {

    private static final int NEWEST = 100;

    private final JdbcClient jdbc;

    private final TransactionTemplate snapshot;

    LedgerSimulator(JdbcClient jdbc, PlatformTransactionManager transactions) {
        this.jdbc = jdbc;
        this.snapshot = new TransactionTemplate(transactions);
        snapshot.setIsolationLevel(TransactionDefinition.ISOLATION_REPEATABLE_READ);
        snapshot.setReadOnly(true);
    }

    @Override
    public Reply answer(Call call) {
        String orderId = call.query().get("orderId");
        return Reply.ok(snapshot.execute(transaction -> new Ledger(
                documents("charges", orderId),
                documents("invoices", orderId),
                entries("mails", Mail.class, orderId),
                entries("deliveries", Delivery.class, orderId))));
    }

    private Documents documents(String table, @Nullable String orderId) {
        Entries<Document> entries = entries(table, Document.class, orderId);
        return new Documents(
                entries.count(), number("coalesce(sum(amount_cents), 0)", table, orderId), entries.newest());
    }

    private <T> Entries<T> entries(String table, Class<T> type, @Nullable String orderId) {
        return new Entries<>(
                number("count(*)", table, orderId),
                jdbc.sql("select *" + those(table) + " order by at desc limit " + NEWEST)
                        .param(orderId)
                        .query(type)
                        .list());
    }

    private long number(String expression, String table, @Nullable String orderId) {
        return jdbc.sql("select " + expression + those(table))
                .param(orderId)
                .query(Long.class)
                .single();
    }

    private static String those(String table) {
        return " from " + table + " where order_id = coalesce(cast(? as varchar), order_id)";
    }

    /** All of it. */
    record Ledger(Documents charges, Documents invoices, Entries<Mail> mails, Entries<Delivery> deliveries) {}

    /**
     * The charges, or the invoices.
     *
     * @param count how many there are
     * @param amountCents the sum of all of them
     * @param newest the last hundred, the newest first
     */
    record Documents(long count, long amountCents, List<Document> newest) {}

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
