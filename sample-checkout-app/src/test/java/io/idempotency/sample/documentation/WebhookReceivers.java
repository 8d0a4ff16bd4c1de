package io.idempotency.sample.documentation;

import io.idempotency.annotation.Idempotent;
import java.util.ArrayList;
import java.util.List;
import org.springframework.boot.test.context.TestComponent;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** The examples of the documentation for webhooks. No part of the shop. */
@TestComponent
@RestController
@ResponseStatus(HttpStatus.NO_CONTENT)
class WebhookReceivers {

    private final List<String> processed = new ArrayList<>();

    // snippet:standard-webhooks
    @PostMapping("/webhooks/standard")
    @Idempotent(operation = "standard-webhook", header = "webhook-id", fingerprint = "NONE", retention = "7d")
    void standardWebhook(@RequestBody String event) {
        process(event);
    }
    // end:standard-webhooks

    // snippet:stripe
    @PostMapping("/webhooks/stripe")
    @Idempotent(operation = "stripe-event", key = "#event.id", fingerprint = "NONE", retention = "7d")
    void stripeEvent(@RequestBody StripeEvent event) {
        process(event.id());
    }
    // end:stripe

    // snippet:github
    @PostMapping("/webhooks/github")
    @Idempotent(operation = "github-delivery", header = "X-GitHub-Delivery", fingerprint = "NONE", retention = "7d")
    void gitHubDelivery(@RequestBody String event) {
        process(event);
    }
    // end:github

    // snippet:shopify
    @PostMapping("/webhooks/shopify")
    @Idempotent(operation = "shopify-event", header = "X-Shopify-Event-Id", fingerprint = "NONE", retention = "7d")
    void shopifyEvent(@RequestBody String event) {
        process(event);
    }
    // end:shopify

    // snippet:cloud-events
    @PostMapping("/webhooks/cloud-events")
    @Idempotent(operation = "cloud-event", key = "#sha256(#source, #id)", fingerprint = "NONE", retention = "7d")
    void cloudEvent(
            @RequestHeader("ce-source") String source, @RequestHeader("ce-id") String id, @RequestBody String data) {
        process(data);
    }
    // end:cloud-events

    private synchronized void process(String event) {
        processed.add(event);
    }

    synchronized List<String> processed() {
        return List.copyOf(processed);
    }

    record StripeEvent(String id, String type) {}
}
