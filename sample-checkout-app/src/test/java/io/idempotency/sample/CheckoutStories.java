package io.idempotency.sample;

import static io.idempotency.sample.ShopClient.isReplay;
import static io.idempotency.sample.ShopClient.json;
import static io.idempotency.sample.ShopClient.order;
import static io.idempotency.sample.ShopClient.unique;
import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.sample.ShopClient.Counts;
import io.idempotency.sample.ShopClient.Ledger;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;

/** A checkout that is sent once, again, without a key, or with something else. */
interface CheckoutStories {

    ShopClient shop();

    @Test
    default void aCheckoutThatIsSentAgainIsChargedOnce() {
        Ledger before = shop().ledger();
        String key = unique("key");
        String order = order(unique("order"), "ada@example.com", 120000);

        HttpResponse<String> first = shop().checkout(key, order);
        HttpResponse<String> second = shop().checkout(key, order);

        assertThat(first.statusCode()).isEqualTo(201);
        assertThat(second.statusCode()).isEqualTo(201);
        assertThat(second.body()).isEqualTo(first.body());
        assertThat(isReplay(second)).isTrue();
        assertThat(second.headers().firstValue("Location"))
                .isPresent()
                .isEqualTo(first.headers().firstValue("Location"));
        assertThat(shop().ledger().since(before)).isEqualTo(new Counts(1, 1, 0, 1, 1, 1, 0));
    }

    @Test
    default void aCheckoutIsFoundWhereItsLocationSays() {
        HttpResponse<String> created =
                shop().checkout(unique("key"), order(unique("order"), "ada@example.com", 120000));

        HttpResponse<String> found =
                shop().get(created.headers().firstValue("Location").orElseThrow());

        assertThat(found.statusCode()).isEqualTo(200);
        assertThat(json(found)).isEqualTo(json(created));
        assertThat(shop().get("/api/checkouts/chk_none").statusCode()).isEqualTo(404);
    }

    @Test
    default void theSameKeyWithAnotherAmountIsRefused() {
        Ledger before = shop().ledger();
        String key = unique("key");
        String orderId = unique("order");
        HttpResponse<String> first = shop().checkout(key, order(orderId, "ada@example.com", 120000));

        HttpResponse<String> second = shop().checkout(key, order(orderId, "ada@example.com", 99));

        assertThat(second.statusCode()).isEqualTo(422);
        assertThat(second.headers().firstValue("Content-Type")).hasValue("application/problem+json");
        assertThat(second.body()).doesNotContain(json(first).get("chargeId").asString());
        assertThat(shop().ledger().since(before)).isEqualTo(new Counts(1, 1, 0, 1, 1, 0, 1));
    }

    @Test
    default void aCheckoutWithoutAKeyIsRefused() {
        Ledger before = shop().ledger();
        HttpResponse<String> refused = shop().checkoutWithoutKey(order(unique("order"), "ada@example.com", 120000));

        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(refused.headers().firstValue("Content-Type")).hasValue("application/problem+json");
        assertThat(shop().ledger().since(before)).isEqualTo(new Counts(0, 0, 0, 0, 0, 0, 0));
    }

    @Test
    default void anInvalidOrderTouchesNoKey() {
        Ledger before = shop().ledger();
        String key = unique("key");
        String orderId = unique("order");

        HttpResponse<String> invalid = shop().checkout(key, order(orderId, "ada", 0));
        HttpResponse<String> corrected = shop().checkout(key, order(orderId, "ada@example.com", 120000));

        assertThat(invalid.statusCode()).isEqualTo(400);
        assertThat(json(invalid).get("errors").propertyNames()).containsExactlyInAnyOrder("email", "amountCents");
        assertThat(corrected.statusCode()).isEqualTo(201);
        assertThat(shop().ledger().since(before)).isEqualTo(new Counts(1, 1, 0, 1, 1, 0, 0));
    }
}
