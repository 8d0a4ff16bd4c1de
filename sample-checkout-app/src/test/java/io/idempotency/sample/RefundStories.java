package io.idempotency.sample;

import static io.idempotency.sample.ShopClient.at;
import static io.idempotency.sample.ShopClient.event;
import static io.idempotency.sample.ShopClient.isReplay;
import static io.idempotency.sample.ShopClient.json;
import static io.idempotency.sample.ShopClient.order;
import static io.idempotency.sample.ShopClient.unique;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idempotency.sample.ShopClient.Made;
import java.net.http.HttpResponse;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Payments that are given back, before, while or after what was paid for is done. */
interface RefundStories {

    ShopClient shop();

    @Test
    default void nothingIsOpenedAfterARefundWhateverTheTimesSay() {
        String orderId = unique("order");
        shop().deliver(at("2026-01-01T10:00:00Z", event(unique("evt"), "payment.refunded", orderId, 120000)));

        shop().deliver(at("2026-01-01T10:00:00Z", event(unique("evt"), orderId)));
        shop().deliver(at("2026-01-01T10:00:01Z", event(unique("evt"), orderId)));

        assertThat(shop().ledger(orderId).made()).isEqualTo(new Made(0, 0, 0, 0));
    }

    @Test
    default void anAccountThatIsOpenedAfterTheRefundIsClosed() {
        String key = unique("key");
        String orderId = unique("order");
        shop().change(Map.of("lostReplies", 1));
        shop().checkout(key, order(orderId, "ada@example.com", 120000));

        shop().deliver(refund(orderId));
        shop().checkout(key, order(orderId, "ada@example.com", 120000));

        assertThat(closedAt(orderId).isString()).isTrue();
    }

    @Test
    default void aRefundClosesTheAccount() {
        String orderId = unique("order");
        shop().deliver(at("2026-01-01T10:00:00Z", event(unique("evt"), orderId)));

        shop().deliver(at("2026-01-01T10:00:01Z", event(unique("evt"), "payment.refunded", orderId, 120000)));

        assertThat(closedAt(orderId).isString()).isTrue();
    }

    @Test
    default void aCheckoutWhosePaymentIsRefundedBeforeItsMailSendsNone() {
        String key = unique("key");
        String orderId = unique("order");
        String order = order(orderId, "ada@example.com", 120000);
        shop().change(Map.of("mailFailures", 1));
        HttpResponse<String> failed = shop().checkout(key, order);
        shop().deliver(refund(orderId));

        HttpResponse<String> retried = shop().checkout(key, order);
        HttpResponse<String> again = shop().checkout(key, order);
        HttpResponse<String> byAnotherKey = shop().checkout(unique("key"), order);

        assertThat(failed.statusCode()).isEqualTo(502);
        assertThat(retried.statusCode()).isEqualTo(409);
        assertThat(json(retried).get("type").asString()).isEqualTo("urn:problem-type:shop:payment-refunded");
        assertThat(retried.headers().firstValue("Retry-After"))
                .as("nothing will change by waiting")
                .isEmpty();
        assertThat(again.body()).isEqualTo(retried.body());
        assertThat(isReplay(again)).isTrue();
        assertThat(byAnotherKey.body()).isEqualTo(retried.body());
        assertThat(shop().ledger(orderId).made()).isEqualTo(new Made(1, 1, 0, 0));
        assertThat(closedAt(orderId).isString()).isTrue();
    }

    @Test
    default void aPaymentThatIsRefundedWhileItsInvoiceIsIssuedIsNotWelcomed() {
        String orderId = unique("order");
        shop().change(Map.of("invoiceLatency", "PT1H"));
        CompletableFuture<HttpResponse<String>> paid = shop().deliverLater(event(unique("evt"), orderId));
        await().atMost(WebhookStories.PATIENCE)
                .until(() -> shop().ledger(orderId)
                                .simulators()
                                .at("/invoices/count")
                                .asLong()
                        == 1);

        shop().deliver(event(unique("evt"), "payment.refunded", orderId, 120000));
        shop().change(Map.of("invoiceLatency", "PT0S"));

        assertThat(paid.join().statusCode()).isEqualTo(200);
        assertThat(json(paid.join()).has("emailId")).isFalse();
        assertThat(shop().ledger(orderId).made()).isEqualTo(new Made(0, 1, 1, 0));
        assertThat(closedAt(orderId).isString()).isTrue();
    }

    /** Returns the event that tells of the refund of the charge that was made for an order. */
    private String refund(String orderId) {
        String charge =
                shop().ledger(orderId).simulators().at("/charges/newest/0/id").asString();
        return event(unique("evt"), "payment.refunded", orderId, 120000)
                .replace("\"data\": {", "\"data\": {\"paymentId\": \"%s\", ".formatted(charge));
    }

    private JsonNode closedAt(String orderId) {
        return shop().ledger(orderId).shop().at("/accounts/newest/0/closedAt");
    }
}
