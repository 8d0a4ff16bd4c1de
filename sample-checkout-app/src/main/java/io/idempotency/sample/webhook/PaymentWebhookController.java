package io.idempotency.sample.webhook;

import io.idempotency.annotation.Idempotent;
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

    PaymentWebhookController(Provisioning provisioning) {
        this.provisioning = provisioning;
    }

    // snippet:webhook
    @PostMapping("/webhooks/payments")
    @Idempotent(
            operation = "payment-webhook",
            key = "#sha256(#event.source, #event.id, #event.type)",
            fingerprint = "#event.data",
            retention = "30d")
    ResponseEntity<Provisioned> receive(@Valid @RequestBody PaymentEvent event) {
        if (!event.type().equals(PaymentEvent.CHECKOUT_COMPLETED)) {
            return ResponseEntity.noContent().build();
        }
        return ResponseEntity.ok(provisioning.provision(event));
    }
    // end:webhook
}
