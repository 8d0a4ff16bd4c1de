package io.idempotency.sample.invoice;

import java.util.Map;
import java.util.Objects;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;
import org.springframework.web.client.RestClient;

/** Has invoices issued by a remote service, which takes its time and honours the key that the client sends along. */
@Component
public class InvoicingService {

    private final RestClient client;

    InvoicingService(RestClient client) {
        this.client = client;
    }

    /**
     * Has an invoice issued.
     *
     * @throws org.springframework.web.client.RestClientException if the service refuses, or nobody knows whether it issued
     */
    public Invoice issue(String orderId, long amountCents) {
        return Objects.requireNonNull(client.post()
                .uri("/invoices")
                .contentType(MediaType.APPLICATION_JSON)
                .body(Map.of("orderId", orderId, "amountCents", amountCents))
                .retrieve()
                .body(Invoice.class));
    }
}
