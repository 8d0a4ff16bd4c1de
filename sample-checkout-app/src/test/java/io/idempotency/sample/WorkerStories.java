package io.idempotency.sample;

import static io.idempotency.sample.ShopClient.isReplay;
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
    default void anotherNodeFinishesTheCheckoutOnceTheLeaseIsOver() {
        String key = unique("key");
        String orderId = unique("order");
        String order = order(orderId, "ada@example.com", 120000);
        long before = shop().lastOfTimeline();

        HttpResponse<String> killed = shop().killWorker(key, order);
        AtomicReference<HttpResponse<String>> retried = new AtomicReference<>();
        await().atMost(Duration.ofMinutes(2))
                .pollInterval(Duration.ofMillis(200))
                .until(() -> {
                    retried.set(shop().checkout(key, order));
                    return retried.get().statusCode() == 201;
                });
        HttpResponse<String> again = shop().checkout(key, order);

        assertThat(json(killed).get("exitValue").asInt()).as(killed.body()).isEqualTo(137);
        assertThat(shop().timelineSince(before, "checkout"))
                .as("it waits or is refused until the lease is over, and is never told that the key is free")
                .startsWith("WAITING")
                .containsSubsequence("TAKEN_OVER", "RECORDED", "REPLAYED")
                .doesNotContain("STARTED");
        assertThat(again.body()).isEqualTo(retried.get().body());
        assertThat(isReplay(again)).isTrue();
        assertThat(json(again).get("orderNumber"))
                .isEqualTo(shop().ledger(orderId).shop().at("/accounts/newest/0/orderNumber"));
        assertThat(shop().ledger(orderId).made()).isEqualTo(new Made(1, 1, 0, 1));
        assertThat(shop().ledger(orderId)
                        .simulators()
                        .at("/charges/newest/0/requests")
                        .asInt())
                .as("the recorded step is not run again")
                .isEqualTo(1);
    }
}
