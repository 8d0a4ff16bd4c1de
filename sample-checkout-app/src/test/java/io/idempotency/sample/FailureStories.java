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
    default void settingsThatMeanNothingAreRefusedFieldByField() {
        HttpResponse<String> refused =
                shop().tryToChange(Map.of("mailFailures", -1, "webhookTimeout", "soon", "webhookAttempts", "many"));

        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(refused.headers().firstValue("Content-Type")).hasValue("application/problem+json");
        assertThat(json(refused).get("errors").propertyNames())
                .containsExactlyInAnyOrder("mailFailures", "webhookTimeout", "webhookAttempts");
    }

    @Test
    default void settingsThatAreMissingAreNamedAndNothingIsChanged() {
        String before = shop().get("/api/simulators/settings").body();

        HttpResponse<String> refused = shop().putSettings("{\"mailFailures\": 3}");

        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(json(refused).get("errors").propertyNames()).contains("invoiceLatency", "webhookAttempts");
        assertThat(json(refused).at("/errors/invoiceLatency").asString()).isEqualTo("is missing");
        assertThat(json(refused).get("errors").has("mailFailures")).isFalse();
        assertThat(shop().get("/api/simulators/settings").body()).isEqualTo(before);
    }
}
