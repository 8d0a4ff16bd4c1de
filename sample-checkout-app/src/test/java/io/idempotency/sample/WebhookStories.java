package io.idempotency.sample;

import static io.idempotency.sample.ShopClient.at;
import static io.idempotency.sample.ShopClient.event;
import static io.idempotency.sample.ShopClient.isReplay;
import static io.idempotency.sample.ShopClient.json;
import static io.idempotency.sample.ShopClient.order;
import static io.idempotency.sample.ShopClient.unique;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idempotency.sample.ShopClient.Counts;
import io.idempotency.sample.ShopClient.Ledger;
import io.idempotency.sample.ShopClient.Made;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What can happen to the gateway's events, of which each payment is provisioned once. */
interface WebhookStories {

    /** Every wait for something to happen, on a machine that has other things to do. */
    Duration PATIENCE = Duration.ofMinutes(1);

    ShopClient shop();

    @Test
    default void aDeliveryThatTheGatewayDidNotSignJustNowTouchesNoKey() {
        String orderId = unique("order");
        String event = event(unique("evt"), orderId);
        Delivery genuine = Delivery.signed(event);
        Instant now = Instant.now();
        Ledger before = shop().ledger();

        assertThat(Stream.of(
                        new Delivery(event, Map.of()),
                        genuine.without("webhook-id"),
                        genuine.without("webhook-timestamp"),
                        genuine.without("webhook-signature"),
                        genuine.with("webhook-signature", "v1,AAAA"),
                        genuine.with("webhook-id", "msg_other"),
                        genuine.with("webhook-timestamp", "just now"),
                        genuine.with("webhook-timestamp", String.valueOf(Long.MAX_VALUE)),
                        new Delivery(event.replace("120000", "1"), genuine.headers()),
                        Delivery.signed(event, "msg_old", now.minus(Duration.ofMinutes(6))),
                        Delivery.signed(event, "msg_early", now.plus(Duration.ofMinutes(6)))))
                .allSatisfy(forged ->
                        assertThat(shop().deliver(forged).statusCode()).isEqualTo(401));
        assertThat(shop().ledger().since(before)).isEqualTo(new Counts(0, 0, 0, 0, 0, 0, 0));

        HttpResponse<String> delivered = shop().deliver(genuine.with(
                "webhook-signature", "v1,AAAA " + genuine.headers().get("webhook-signature")));
        assertThat(delivered.statusCode()).isEqualTo(200);
        assertThat(isReplay(delivered)).isFalse();
        assertThat(shop().deliver(genuine.without("webhook-signature")).statusCode())
                .as("nobody else gets the recorded answer")
                .isEqualTo(401);
    }

    @Test
    default void theSameEventUnderTwoDeliveryIdsIsProvisionedOnce() {
        String orderId = unique("order");
        String event = event(unique("evt"), orderId);

        HttpResponse<String> first = shop().deliver(Delivery.signed(event, unique("msg"), Instant.now()));
        HttpResponse<String> second = shop().deliver(Delivery.signed(event, unique("msg"), Instant.now()));

        assertThat(second.body()).isEqualTo(first.body());
        assertThat(isReplay(second)).isTrue();
        assertThat(shop().ledger(orderId).made()).isEqualTo(new Made(0, 1, 1, 1));
    }

    @Test
    default void severalSignalsForOnePaymentProvisionItOnce() {
        String orderId = unique("order");
        List<String> events = Stream.of("checkout.completed", "payment.succeeded", "checkout.completed")
                .map(type -> event(unique("evt"), type, orderId, 120000))
                .toList();

        List<CompletableFuture<HttpResponse<String>>> answers =
                events.stream().map(shop()::deliverLater).toList();

        assertThat(answers)
                .extracting(answer -> answer.join().statusCode())
                .as("one may be told to come back while another is being processed")
                .isSubsetOf(200, 204, 409);
        events.forEach(event ->
                await().atMost(PATIENCE).until(() -> shop().deliver(event).statusCode() < 300));
        assertThat(shop().ledger(orderId).made()).isEqualTo(new Made(0, 1, 1, 1));
    }

    @Test
    default void anOlderEventAfterANewerOneChangesNothing() {
        String orderId = unique("order");
        String paid = at("2026-01-01T10:00:00Z", event(unique("evt"), orderId));
        String refunded = at("2026-01-01T10:00:01Z", event(unique("evt"), "payment.refunded", orderId, 120000));

        assertThat(shop().deliver(refunded).statusCode()).isEqualTo(204);
        assertThat(shop().deliver(paid).statusCode()).isEqualTo(204);

        assertThat(shop().ledger(orderId).made()).isEqualTo(new Made(0, 0, 0, 0));
    }

    @Test
    default void anEventThatDoesNotSayWhenItHappenedIsRefused() {
        String event = event(unique("evt"), unique("order"));

        HttpResponse<String> refused = shop().deliver(event.replaceFirst("\"occurredAt\": \"[^\"]*\", *", ""));

        assertThat(refused.statusCode()).isEqualTo(400);
    }

    @Test
    default void anEventWhoseProcessingFailedIsResumedByItsRedelivery() {
        String orderId = unique("order");
        // To the nanosecond, which no database keeps: its rounding must not make the redelivery an older event.
        String event = at("2026-01-01T10:00:00.0000009Z", event(unique("evt"), orderId));
        shop().change(Map.of("mailFailures", 1));

        HttpResponse<String> failed = shop().deliver(event);
        HttpResponse<String> redelivered = shop().deliver(event);

        assertThat(failed.statusCode()).isEqualTo(502);
        assertThat(json(failed).get("type").asString()).isEqualTo("urn:problem-type:shop:system-failed");
        assertThat(redelivered.statusCode()).isEqualTo(200);
        assertThat(isReplay(redelivered)).isFalse();
        assertThat(shop().ledger(orderId).made()).isEqualTo(new Made(0, 1, 1, 1));
        assertThat(shop().ledger(orderId)
                        .simulators()
                        .at("/invoices/newest/0/requests")
                        .asInt())
                .isEqualTo(1);
    }

    @Test
    default void theGatewaySendsAnEventAgainUntilTheShopHasProcessedIt() {
        String orderId = unique("order");
        shop().change(Map.of(
                "invoiceLatency",
                "PT1H",
                "webhookTimeout",
                "PT1S",
                "webhookBackOff",
                "PT0.1S",
                "webhookAttempts",
                100));
        shop().checkout(unique("key"), order(orderId, "ada@example.com", 120000));

        await().atMost(PATIENCE)
                .untilAsserted(
                        () -> assertThat(shop().answersToWebhooks(orderId)).contains("timeout", "409"));
        shop().change(Map.of("invoiceLatency", "PT0S", "webhookTimeout", "PT10S"));
        await().atMost(PATIENCE)
                .untilAsserted(
                        () -> assertThat(shop().answersToWebhooks(orderId)).contains("200"));

        assertThat(shop().answersToWebhooks(orderId)).startsWith("timeout").endsWith("200");
        assertThat(shop().ledger(orderId).made()).isEqualTo(new Made(1, 1, 1, 1));
    }
}
