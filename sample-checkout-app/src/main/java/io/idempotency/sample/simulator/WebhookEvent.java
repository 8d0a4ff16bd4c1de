package io.idempotency.sample.simulator;

import io.idempotency.sample.identifier.Identifiers;
import io.idempotency.sample.simulator.GatewaySimulator.PaymentOrder;
import java.time.Instant;

/** Something that happened at the gateway. */
record WebhookEvent(String source, String id, String type, Instant occurredAt, Payment data) {

    static WebhookEvent paymentSucceeded(String paymentId, PaymentOrder order) {
        return new WebhookEvent(
                "acme-pay",
                Identifiers.next("evt"),
                "payment.succeeded",
                Instant.now(),
                new Payment(paymentId, order.orderId(), order.email(), order.plan(), order.amountCents()));
    }

    /** What was paid. */
    record Payment(String paymentId, String orderId, String email, String plan, long amountCents) {}
}
