package io.idempotency.sample.invoice;

import io.idempotency.sample.identifier.Identifiers;
import java.time.Duration;
import org.springframework.stereotype.Component;

/** Stands for the remote service that issues invoices, and for the time that it takes. */
@Component
public class InvoicingService {

    private final Duration latency;

    InvoicingService(InvoiceProperties properties) {
        this.latency = properties.latency();
    }

    /** Returns the number of a new invoice. */
    public String issue() {
        try {
            Thread.sleep(latency.toMillis());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while the invoice was being issued", interrupted);
        }
        return Identifiers.next("inv");
    }
}
