package io.idempotency.sample;

import static io.idempotency.sample.ShopClient.json;
import static io.idempotency.sample.ShopClient.order;
import static io.idempotency.sample.ShopClient.unique;
import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.sample.ShopClient.Made;
import java.net.http.HttpResponse;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Checkouts in which a step fails: their retry does what was not done. */
interface FailureStories {

    ShopClient shop();

    @Test
    default void aChargeWhoseReplyIsLostIsMadeOnce() {
        String key = unique("key");
        String orderId = unique("order");
        String order = order(orderId, "ada@example.com", 120000);
        shop().change(Map.of("lostReplies", 1));

        HttpResponse<String> failed = shop().checkout(key, order);
        HttpResponse<String> paid = shop().checkout(key, order);

        assertThat(failed.statusCode()).isEqualTo(502);
        assertThat(paid.statusCode()).isEqualTo(201);
        assertThat(shop().ledger(orderId).made()).isEqualTo(new Made(1, 1, 0, 1));
        JsonNode charge = shop().ledger(orderId).simulators().at("/charges/newest/0");
        assertThat(charge.get("requests").asInt())
                .as("the gateway was asked again, and knew the key of the step")
                .isEqualTo(2);
        assertThat(json(paid).get("chargeId")).isEqualTo(charge.get("id"));
    }

    @Test
    default void aCheckoutWhoseMailFailsResumesAtTheMail() {
        String key = unique("key");
        String orderId = unique("order");
        String order = order(orderId, "ada@example.com", 120000);
        shop().change(Map.of("mailFailures", 2));

        assertThat(shop().checkout(key, order).statusCode()).isEqualTo(502);
        assertThat(shop().checkout(key, order).statusCode()).isEqualTo(502);
        assertThat(shop().checkout(key, order).statusCode()).isEqualTo(201);

        assertThat(shop().ledger(orderId).made()).isEqualTo(new Made(1, 1, 0, 1));
        assertThat(shop().ledger(orderId)
                        .simulators()
                        .at("/charges/newest/0/requests")
                        .asInt())
                .as("the recorded step is not run again")
                .isEqualTo(1);
    }

    @Test
    default void settingsThatMeanNothingAreRefused() {
        assertThat(shop().tryToChange(Map.of("mailFailures", -1)).statusCode()).isEqualTo(400);
        assertThat(shop().tryToChange(Map.of("webhookTimeout", "soon")).statusCode())
                .isEqualTo(400);
    }
}
