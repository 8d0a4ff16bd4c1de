package io.idempotency.sample;

import static io.idempotency.sample.ShopClient.json;
import static io.idempotency.sample.ShopClient.order;
import static io.idempotency.sample.ShopClient.unique;
import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.sample.ShopClient.Made;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;

/** What belongs to the order and not to one press of the button. */
interface OrderStories {

    ShopClient shop();

    @Test
    default void anOrderThatIsSentWithTwoKeysIsChargedOnce() {
        String orderId = unique("order");
        String order = order(orderId, "ada@example.com", 120000);

        HttpResponse<String> first = shop().checkout(unique("key"), order);
        HttpResponse<String> second = shop().checkout(unique("key"), order);
        HttpResponse<String> changed = shop().checkout(unique("key"), order(orderId, "ada@example.com", 99));

        assertThat(first.statusCode()).isEqualTo(201);
        assertThat(second.statusCode()).isEqualTo(201);
        assertThat(second.body()).isEqualTo(first.body());
        assertThat(changed.statusCode()).isEqualTo(422);
        assertThat(json(changed).get("type").asString())
                .as("the key was new, so it is not the key that is to blame")
                .isEqualTo("urn:problem-type:shop:order-changed");
        assertThat(shop().ledger(orderId).made()).isEqualTo(new Made(1, 1, 0, 1));
    }

    @Test
    default void theLedgerOfAnOrderIsFoundHoweverTheOrderIsNamed() {
        String orderId = unique("50 % {order} & a+b = ü");
        shop().checkout(unique("key"), order(orderId, "ada@example.com", 120000));

        assertThat(shop().ledger(orderId).made()).isEqualTo(new Made(1, 1, 0, 1));
    }
}
