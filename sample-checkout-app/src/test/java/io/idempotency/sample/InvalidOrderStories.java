package io.idempotency.sample;

import static io.idempotency.sample.ShopClient.at;
import static io.idempotency.sample.ShopClient.event;
import static io.idempotency.sample.ShopClient.json;
import static io.idempotency.sample.ShopClient.order;
import static io.idempotency.sample.ShopClient.unique;
import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.sample.ShopClient.Made;
import java.net.http.HttpResponse;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Orders and events that mean nothing: each is refused, with the name of the field, before anything is done. */
interface InvalidOrderStories {

    ShopClient shop();

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "amountCents | 0",
                "amountCents | -1",
                "amountCents | 12.345",
                "amountCents | 12.0",
                "amountCents | 1e3",
                "amountCents | \"12\"",
                "amountCents | 100000001",
                "amountCents | 99999999999999999999",
                "amountCents | null",
                "email       | \"ada\"",
                "email       | \" ada@example.com\"",
                "email       | null",
                "plan        | \" \"",
                "plan        | \"a\\u0000b\"",
                "plan        | {}"
            })
    default void whatMeansNothingIsRefusedAndItsFieldIsNamed(String field, String value) {
        String orderId = unique("order");
        ObjectNode order = (ObjectNode) JsonMapper.shared().readTree(order(orderId, "ada@example.com", 120000));
        ObjectNode event = (ObjectNode) JsonMapper.shared().readTree(event(unique("evt"), orderId));
        order.set(field, JsonMapper.shared().readTree(value));
        ((ObjectNode) event.get("data")).set(field, JsonMapper.shared().readTree(value));

        HttpResponse<String> unpaid = shop().checkout(unique("key"), order.toString());
        HttpResponse<String> undelivered = shop().deliver(event.toString());

        assertThat(unpaid.statusCode()).isEqualTo(400);
        assertThat(json(unpaid).get("errors").propertyNames()).containsExactly(field);
        assertThat(undelivered.statusCode()).isEqualTo(400);
        assertThat(json(undelivered).get("errors").propertyNames()).containsExactly("data." + field);
        assertThat(shop().ledger(orderId).made()).isEqualTo(new Made(0, 0, 0, 0));
    }

    @ParameterizedTest
    @CsvSource({"a\\u0000b@example.com", "a\\u0007b@example.com", "a\\ud800b@example.com"})
    default void anAddressIsText(String email) {
        String orderId = unique("order");

        HttpResponse<String> unpaid = shop().checkout(unique("key"), order(orderId, email, 120000));
        HttpResponse<String> undelivered =
                shop().deliver(event(unique("evt"), orderId).replace("ada@example.com", email));
        HttpResponse<String> uncaptured = shop().captureLead(unique("key"), email);

        assertThat(unpaid.statusCode()).as(unpaid.body()).isEqualTo(400);
        assertThat(undelivered.statusCode()).as(undelivered.body()).isEqualTo(400);
        assertThat(uncaptured.statusCode()).as(uncaptured.body()).isEqualTo(400);
    }

    @ParameterizedTest
    @ValueSource(strings = {"+1000000000-12-31T23:59:59Z", "-1000000000-01-01T00:00:00Z", "+10000-01-01T00:00:00Z"})
    default void anEventIsOfATimeThatEveryDatabaseTakes(String time) {
        HttpResponse<String> refused = shop().deliver(at(time, event(unique("evt"), unique("order"))));

        assertThat(refused.statusCode()).as(refused.body()).isEqualTo(400);
    }

    @ParameterizedTest
    @CsvSource({"a\\u0000b", "a\\ud800b", "''"})
    default void anOrderIsNamedByText(String orderId) {
        HttpResponse<String> refused = shop().checkout(unique("key"), order(orderId, "ada@example.com", 120000));

        assertThat(refused.statusCode()).as(refused.body()).isEqualTo(400);
    }
}
