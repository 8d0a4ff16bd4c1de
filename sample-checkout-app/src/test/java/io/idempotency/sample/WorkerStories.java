package io.idempotency.sample;

import static io.idempotency.sample.ShopClient.json;
import static io.idempotency.sample.ShopClient.order;
import static io.idempotency.sample.ShopClient.unique;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idempotency.sample.ShopClient.Made;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** A node starts another one, which is killed in the middle of a checkout, and finishes the checkout itself. */
interface WorkerStories {

    ShopClient shop();

    @Test
    default void aCheckoutWhoseWorkerWasKilledIsFinishedOnThisNode() {
        String key = unique("key");
        String orderId = unique("order");
        String order = order(orderId, "ada@example.com", 120000);

        HttpResponse<String> killed = shop().killWorker(key, order);

        assertThat(json(killed).get("exitValue").asInt()).as(killed.body()).isEqualTo(137);
        assertThat(shop().ledger(orderId).made()).isEqualTo(new Made(1, 1, 0, 0));
        AtomicReference<HttpResponse<String>> retried = new AtomicReference<>();
        await().atMost(Duration.ofMinutes(1))
                .pollInterval(Duration.ofMillis(200))
                .until(() -> {
                    retried.set(shop().checkout(key, order));
                    return retried.get().statusCode() == 201;
                });
        assertThat(shop().ledger(orderId).made()).isEqualTo(new Made(1, 1, 0, 1));
        assertThat(json(retried.get()).get("orderNumber"))
                .isEqualTo(shop().ledger(orderId).shop().at("/accounts/newest/0/orderNumber"));
    }
}
