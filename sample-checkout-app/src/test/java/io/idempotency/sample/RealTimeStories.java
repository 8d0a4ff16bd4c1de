package io.idempotency.sample;

import static io.idempotency.sample.ShopClient.order;
import static io.idempotency.sample.ShopClient.unique;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idempotency.sample.ShopClient.Made;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The gateway's story as the README tells it, in real time. */
interface RealTimeStories {

    ShopClient shop();

    @Test
    @Tag("faults")
    @Tag("faults-long")
    default void anInvoiceTakesTwelveSecondsAndTheGatewayGivesUpAfterTen() {
        String orderId = unique("order");
        shop().change(Map.of(
                "invoiceLatency", "PT12S", "webhookTimeout", "PT10S", "webhookBackOff", "PT1S", "webhookAttempts", 10));

        shop().checkout(unique("key"), order(orderId, "ada@example.com", 120000));

        await().atMost(Duration.ofMinutes(2))
                .untilAsserted(
                        () -> assertThat(shop().answersToWebhooks(orderId)).contains("200"));
        assertThat(shop().answersToWebhooks(orderId)).startsWith("timeout").endsWith("200");
        assertThat(shop().ledger(orderId).made()).isEqualTo(new Made(1, 1, 1, 1));
    }
}
