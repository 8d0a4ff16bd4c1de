package io.idempotency.sample.ledger;

import io.idempotency.sample.ledger.ShopLedger.AccountEntry;
import io.idempotency.sample.ledger.ShopLedger.Entries;
import io.idempotency.sample.ledger.ShopLedger.InvoiceEntry;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.annotation.Isolation;
import org.springframework.transaction.annotation.Transactional;

/** Reads the shop's tables. */
@Repository
class ShopLedgers {

    private static final int NEWEST = 100;

    private final JdbcClient jdbc;

    ShopLedgers(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** Reads the entries of one order, or all where it is {@code null}, as they were at one moment. */
    @Transactional(readOnly = true, isolation = Isolation.REPEATABLE_READ)
    ShopLedger read(@Nullable String orderId) {
        return new ShopLedger(
                entries(
                        AccountEntry.class,
                        "id, order_number, order_id, payment_id, opened_at, closed_at",
                        "accounts",
                        "opened_at",
                        orderId),
                entries(
                        InvoiceEntry.class,
                        "invoices.id, checkout_event_id, order_id, amount_cents, issued_at",
                        "invoices join accounts on accounts.id = account_id",
                        "issued_at",
                        orderId));
    }

    private <T> Entries<T> entries(
            Class<T> type, String columns, String tables, String time, @Nullable String orderId) {
        String those = " from " + tables + " where order_id = coalesce(cast(? as varchar), order_id)";
        return new Entries<>(
                jdbc.sql("select count(*)" + those)
                        .param(orderId)
                        .query(Long.class)
                        .single(),
                jdbc.sql("select " + columns + those + " order by " + time + " desc limit " + NEWEST)
                        .param(orderId)
                        .query(type)
                        .list());
    }
}
