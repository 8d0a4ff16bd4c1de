package io.idempotency.sample.payment;

import io.idempotency.sample.order.Order;
import java.util.Objects;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;
import org.springframework.web.client.RestClient;

/** Charges cards at the gateway, which honours the key that the client sends along. */
@Component
public class PaymentGateway {

    private final RestClient client;

    PaymentGateway(RestClient client) {
        this.client = client;
    }

    /**
     * Charges the card of a customer.
     *
     * @throws org.springframework.web.client.RestClientException if the gateway refuses, or nobody knows whether it charged
     */
    public Charge charge(Order order) {
        return Objects.requireNonNull(client.post()
                .uri("/charges")
                .contentType(MediaType.APPLICATION_JSON)
                .body(order)
                .retrieve()
                .body(Charge.class));
    }
}
