package io.idempotency.sample.webhook;

import io.idempotency.annotation.Idempotent;
import io.idempotency.sample.account.Accounts;
import io.idempotency.sample.payment.Payments;
import jakarta.validation.Valid;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/**
 * Takes the gateway's events. The gateway gives up after ten seconds and sends the same event again, so the key is the
 * event and not the delivery, and what is compared is the content of the event and not the envelope. Outcomes are kept for
 * longer than a gateway goes on sending.
 */
@RestController
class PaymentWebhookController {

    private final Provisioning provisioning;

    private final Payments payments;

    private final Accounts accounts;

    PaymentWebhookController(Provisioning provisioning, Payments payments, Accounts accounts) {
        this.provisioning = provisioning;
        this.payments = payments;
        this.accounts = accounts;
    }

    // snippet:webhook
    @PostMapping("/webhooks/payments")
    @Idempotent(
            operation = "payment-webhook",
            key = "#sha256(#event.source, #event.id, #event.type)",
            fingerprint = "#event.data",
            retention = "30d")
    ResponseEntity<Provisioned> receive(@Valid @RequestBody PaymentEvent event) {
        return switch (event.type()) {
            case "checkout.completed", "payment.succeeded" -> paid(event);
            case "payment.refunded" -> refunded(event);
            default -> ResponseEntity.noContent().build();
        };
    }
    // end:webhook

    private ResponseEntity<Provisioned> paid(PaymentEvent event) {
        return isNews(event, Payments.PAID)
                ? ResponseEntity.ok(provisioning.provision(event))
                : ResponseEntity.noContent().build();
    }

    private ResponseEntity<Provisioned> refunded(PaymentEvent event) {
        if (isNews(event, Payments.REFUNDED)) {
            accounts.close(event.data().payment());
        }
        return ResponseEntity.noContent().build();
    }

    /** Events come in any order: what is older than what is known of its payment changes nothing, and no refund is undone. */
    private boolean isNews(PaymentEvent event, String status) {
        return payments.advance(event.data().payment(), status, event.occurredAt());
    }
}
