package io.idempotency.sample.documentation;

import io.idempotency.annotation.Idempotent;
import io.idempotency.core.IdempotencyOperations;
import io.idempotency.core.IdempotentResult;
import java.util.concurrent.atomic.AtomicInteger;

/** The examples of the documentation for beans that are no controllers. */
class InvoiceService {

    private final AtomicInteger numbers = new AtomicInteger();

    private final IdempotencyOperations idempotency;

    InvoiceService(IdempotencyOperations idempotency) {
        this.idempotency = idempotency;
    }

    // snippet:annotation
    @Idempotent(operation = "create-invoice", key = "#order.id", retention = "7d")
    Invoice createInvoice(Order order) {
        return new Invoice(order.id(), numbers.incrementAndGet());
    }
    // end:annotation

    // snippet:operations
    IdempotentResult<Invoice> cancelInvoice(Order order) {
        return idempotency
                .operation("cancel-invoice")
                .key(order.id())
                .execute(Invoice.class, () -> new Invoice(order.id(), numbers.incrementAndGet()));
    }
    // end:operations

    record Order(String id, long amountCents) {}

    record Invoice(String orderId, int number) {}
}
