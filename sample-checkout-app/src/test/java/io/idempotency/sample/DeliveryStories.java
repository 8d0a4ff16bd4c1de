package io.idempotency.sample;

import static io.idempotency.sample.ShopClient.event;
import static io.idempotency.sample.ShopClient.isReplay;
import static io.idempotency.sample.ShopClient.json;
import static io.idempotency.sample.ShopClient.unique;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idempotency.sample.ShopClient.Counts;
import io.idempotency.sample.ShopClient.Ledger;
import java.net.http.HttpResponse;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** One event in several deliveries, and several events that look alike. */
interface DeliveryStories {

    ShopClient shop();

    @Test
    default void theSameEventTwiceIsProvisionedOnce() {
        Ledger before = shop().ledger();
        String event = event(unique("evt"), unique("order"));

        HttpResponse<String> first = shop().deliver(event);
        HttpResponse<String> second = shop().deliver(event);

        assertThat(first.statusCode()).isEqualTo(200);
        assertThat(json(first).propertyNames())
                .containsExactlyInAnyOrder("orderId", "invoiceId", "accountId", "emailId");
        assertThat(isReplay(first)).isFalse();
        assertThat(second.statusCode()).isEqualTo(200);
        assertThat(second.body()).isEqualTo(first.body());
        assertThat(isReplay(second)).isTrue();
        assertThat(shop().ledger().since(before)).isEqualTo(new Counts(0, 1, 1, 1, 1, 1, 0));
    }

    @Test
    default void aDeliveryIsRefusedWhileTheFirstOneRunsAndReplayedAfterwards() {
        Ledger before = shop().ledger();
        String event = event(unique("evt"), unique("order"));
        shop().change(Map.of("invoiceLatency", "PT1H"));
        CompletableFuture<HttpResponse<String>> first = shop().deliverLater(event);
        await().atMost(WebhookStories.PATIENCE)
                .until(() -> shop().ledger().simulators().at("/invoices/count").asLong()
                        > before.simulators().at("/invoices/count").asLong());

        HttpResponse<String> second = shop().deliver(event);

        assertThat(second.statusCode()).isEqualTo(409);
        assertThat(second.headers().firstValue("Content-Type")).hasValue("application/problem+json");
        assertThat(second.headers().firstValueAsLong("Retry-After")).isPresent();
        assertThat(second.headers().firstValueAsLong("Retry-After").getAsLong()).isBetween(1L, 30L);
        shop().change(Map.of("invoiceLatency", "PT0S"));
        assertThat(first.join().statusCode()).isEqualTo(200);

        HttpResponse<String> third = shop().deliver(event);

        assertThat(third.body()).isEqualTo(first.join().body());
        assertThat(isReplay(third)).isTrue();
        assertThat(shop().ledger().since(before)).isEqualTo(new Counts(0, 1, 1, 1, 1, 1, 1));
    }

    @Test
    default void eventsAreTheSameOnlyIfSourceIdAndTypeAre() {
        Ledger before = shop().ledger();
        String eventId = unique("evt");

        assertThat(shop().deliver(event(eventId, unique("order"))).statusCode()).isEqualTo(200);
        assertThat(shop().deliver(event(eventId, "checkout.expired", unique("order"), 1))
                        .statusCode())
                .isEqualTo(204);
        assertThat(shop().deliver(event(unique("evt"), unique("order"))).statusCode())
                .isEqualTo(200);

        assertThat(shop().ledger().since(before)).isEqualTo(new Counts(0, 2, 2, 2, 3, 0, 0));
    }

    @Test
    default void anEventWhoseContentChangedIsRefused() {
        Ledger before = shop().ledger();
        String eventId = unique("evt");
        String orderId = unique("order");
        shop().deliver(event(eventId, orderId));

        HttpResponse<String> changed = shop().deliver(event(eventId, "checkout.completed", orderId, 1));

        assertThat(changed.statusCode()).isEqualTo(422);
        assertThat(shop().ledger().since(before)).isEqualTo(new Counts(0, 1, 1, 1, 1, 0, 1));
    }

    @Test
    default void aDeliveryThatCountsItselfIsStillTheSameEvent() {
        String event = event(unique("evt"), unique("order"));
        HttpResponse<String> first = shop().deliver(event);

        HttpResponse<String> second = shop().deliver(event.replaceFirst("\\{", "{\"delivery\": 2, "));

        assertThat(second.body()).isEqualTo(first.body());
        assertThat(isReplay(second)).isTrue();
    }
}
