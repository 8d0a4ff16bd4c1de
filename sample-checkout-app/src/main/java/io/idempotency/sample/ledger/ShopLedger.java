package io.idempotency.sample.ledger;

import java.time.OffsetDateTime;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What is in the shop's tables. */
record ShopLedger(Entries<AccountEntry> accounts, Entries<InvoiceEntry> invoices) {

    /**
     * The entries of one kind.
     *
     * @param count how many there are
     * @param newest the last hundred, the newest first
     */
    record Entries<T>(long count, List<T> newest) {}

    /**
     * An account.
     *
     * @param closedAt {@code null} unless its payment was given back
     */
    record AccountEntry(
            String id,
            String orderNumber,
            String orderId,
            String paymentId,
            OffsetDateTime openedAt,
            @Nullable OffsetDateTime closedAt) {}

    /** An invoice that was filed. */
    record InvoiceEntry(String id, String checkoutEventId, String orderId, long amountCents, OffsetDateTime issuedAt) {}
}
