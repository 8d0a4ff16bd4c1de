package io.idempotency.sample;

import static io.idempotency.sample.ShopClient.event;
import static io.idempotency.sample.ShopClient.isReplay;
import static io.idempotency.sample.ShopClient.json;
import static io.idempotency.sample.ShopClient.order;
import static io.idempotency.sample.ShopClient.unique;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idempotency.sample.ShopClient.Counts;
import io.idempotency.sample.ShopClient.Ledger;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.jdbc.core.simple.JdbcClient;

/** What the README tells about the shop, on every store that it can be started with. */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
abstract class ShopStories implements WebhookStories, FailureStories, OrderStories {

    private static final int STORM = 50;

    @Autowired
    private JdbcClient jdbc;

    @LocalServerPort
    private int port;

    private ShopClient shop;

    private Ledger before;

    @BeforeEach
    void lookAtTheLedger() {
        shop = new ShopClient(port);
        shop.change(Map.of("invoiceLatency", "PT0S", "mailFailures", 0, "lostReplies", 0, "webhookAttempts", 0));
        before = shop.ledger();
    }

    @Override
    public ShopClient shop() {
        return shop;
    }

    @Test
    void theSameEventTwiceIsProvisionedOnce() {
        String event = event(unique("evt"), unique("order"));

        HttpResponse<String> first = shop.deliver(event);
        HttpResponse<String> second = shop.deliver(event);

        assertThat(first.statusCode()).isEqualTo(200);
        assertThat(json(first).propertyNames())
                .containsExactlyInAnyOrder("orderId", "invoiceId", "accountId", "emailId");
        assertThat(isReplay(first)).isFalse();
        assertThat(second.statusCode()).isEqualTo(200);
        assertThat(second.body()).isEqualTo(first.body());
        assertThat(isReplay(second)).isTrue();
        assertThat(shop.ledger().since(before)).isEqualTo(new Counts(0, 1, 1, 1, 1, 1, 0));
    }

    @Test
    void aDeliveryIsRefusedWhileTheFirstOneRunsAndReplayedAfterwards() {
        String event = event(unique("evt"), unique("order"));
        shop.change(Map.of("invoiceLatency", "PT1H"));
        CompletableFuture<HttpResponse<String>> first = shop.deliverLater(event);
        await().atMost(PATIENCE)
                .until(() -> shop.ledger().simulators().at("/invoices/count").asLong()
                        > before.simulators().at("/invoices/count").asLong());

        HttpResponse<String> second = shop.deliver(event);

        assertThat(second.statusCode()).isEqualTo(409);
        assertThat(second.headers().firstValue("Content-Type")).hasValue("application/problem+json");
        assertThat(second.headers().firstValueAsLong("Retry-After")).isPresent();
        assertThat(second.headers().firstValueAsLong("Retry-After").getAsLong()).isBetween(1L, 30L);
        shop.change(Map.of("invoiceLatency", "PT0S"));
        assertThat(first.join().statusCode()).isEqualTo(200);

        HttpResponse<String> third = shop.deliver(event);

        assertThat(third.body()).isEqualTo(first.join().body());
        assertThat(isReplay(third)).isTrue();
        assertThat(shop.ledger().since(before)).isEqualTo(new Counts(0, 1, 1, 1, 1, 1, 1));
    }

    @Test
    void eventsAreTheSameOnlyIfSourceIdAndTypeAre() {
        String eventId = unique("evt");

        assertThat(shop.deliver(event(eventId, unique("order"))).statusCode()).isEqualTo(200);
        assertThat(shop.deliver(event(eventId, "checkout.expired", unique("order"), 1))
                        .statusCode())
                .isEqualTo(204);
        assertThat(shop.deliver(event(unique("evt"), unique("order"))).statusCode())
                .isEqualTo(200);

        assertThat(shop.ledger().since(before)).isEqualTo(new Counts(0, 2, 2, 2, 3, 0, 0));
    }

    @Test
    void anEventWhoseContentChangedIsRefused() {
        String eventId = unique("evt");
        String orderId = unique("order");
        shop.deliver(event(eventId, orderId));

        HttpResponse<String> changed = shop.deliver(event(eventId, "checkout.completed", orderId, 1));

        assertThat(changed.statusCode()).isEqualTo(422);
        assertThat(shop.ledger().since(before)).isEqualTo(new Counts(0, 1, 1, 1, 1, 0, 1));
    }

    @Test
    void aDeliveryThatCountsItselfIsStillTheSameEvent() {
        String event = event(unique("evt"), unique("order"));
        HttpResponse<String> first = shop.deliver(event);

        HttpResponse<String> second = shop.deliver(event.replaceFirst("\\{", "{\"delivery\": 2, "));

        assertThat(second.body()).isEqualTo(first.body());
        assertThat(isReplay(second)).isTrue();
    }

    @Test
    void aCheckoutThatIsSentAgainIsChargedOnce() {
        String key = unique("key");
        String order = order(unique("order"), "ada@example.com", 120000);

        HttpResponse<String> first = shop.checkout(key, order);
        HttpResponse<String> second = shop.checkout(key, order);

        assertThat(first.statusCode()).isEqualTo(201);
        assertThat(second.statusCode()).isEqualTo(201);
        assertThat(second.body()).isEqualTo(first.body());
        assertThat(isReplay(second)).isTrue();
        assertThat(second.headers().firstValue("Location"))
                .isPresent()
                .isEqualTo(first.headers().firstValue("Location"));
        assertThat(shop.ledger().since(before)).isEqualTo(new Counts(1, 1, 0, 1, 1, 1, 0));
    }

    @Test
    void aCheckoutIsFoundWhereItsLocationSays() {
        HttpResponse<String> created = shop.checkout(unique("key"), order(unique("order"), "ada@example.com", 120000));

        HttpResponse<String> found =
                shop.get(created.headers().firstValue("Location").orElseThrow());

        assertThat(found.statusCode()).isEqualTo(200);
        assertThat(json(found)).isEqualTo(json(created));
        assertThat(shop.get("/api/checkouts/chk_none").statusCode()).isEqualTo(404);
    }

    @Test
    void theSameKeyWithAnotherAmountIsRefused() {
        String key = unique("key");
        String orderId = unique("order");
        HttpResponse<String> first = shop.checkout(key, order(orderId, "ada@example.com", 120000));

        HttpResponse<String> second = shop.checkout(key, order(orderId, "ada@example.com", 99));

        assertThat(second.statusCode()).isEqualTo(422);
        assertThat(second.headers().firstValue("Content-Type")).hasValue("application/problem+json");
        assertThat(second.body()).doesNotContain(json(first).get("chargeId").asString());
        assertThat(shop.ledger().since(before)).isEqualTo(new Counts(1, 1, 0, 1, 1, 0, 1));
    }

    @Test
    void aCheckoutWithoutAKeyIsRefused() {
        HttpResponse<String> refused = shop.checkoutWithoutKey(order(unique("order"), "ada@example.com", 120000));

        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(refused.headers().firstValue("Content-Type")).hasValue("application/problem+json");
        assertThat(shop.ledger().since(before)).isEqualTo(new Counts(0, 0, 0, 0, 0, 0, 0));
    }

    @Test
    void anInvalidOrderTouchesNoKey() {
        String key = unique("key");
        String orderId = unique("order");

        HttpResponse<String> invalid = shop.checkout(key, order(orderId, "ada", 0));
        HttpResponse<String> corrected = shop.checkout(key, order(orderId, "ada@example.com", 120000));

        assertThat(invalid.statusCode()).isEqualTo(400);
        assertThat(json(invalid).get("errors").propertyNames()).containsExactlyInAnyOrder("email", "amountCents");
        assertThat(corrected.statusCode()).isEqualTo(201);
        assertThat(shop.ledger().since(before)).isEqualTo(new Counts(1, 1, 0, 1, 1, 0, 0));
    }

    @Test
    void aKnownCustomerMayBuyAgain() {
        String name = unique("grace");

        HttpResponse<String> first =
                shop.checkout(unique("key"), order(unique("order"), name + "@example.com", 120000));
        HttpResponse<String> second = shop.checkout(
                unique("key"), order(unique("order"), name.toUpperCase(Locale.ROOT) + "@Example.com", 120000));

        assertThat(first.statusCode()).isEqualTo(201);
        assertThat(second.statusCode()).isEqualTo(201);
        assertThat(jdbc.sql("select count(*) from leads where normalized_email = ?")
                        .param(name + "@example.com")
                        .query(Long.class)
                        .single())
                .isEqualTo(1);
    }

    @Test
    void aStormOfTheSameEventIsProvisionedOnce() {
        String event = event(unique("evt"), unique("order"));

        assertOneExecution(() -> shop.deliverLater(event), 200);

        assertThat(shop.ledger().since(before).invoices()).isEqualTo(1);
    }

    @Test
    void aStormOfTheSameCheckoutIsChargedOnce() {
        String key = unique("key");
        String order = order(unique("order"), "ada@example.com", 120000);

        assertOneExecution(() -> shop.checkoutLater(key, order), 201);

        assertThat(shop.ledger().since(before).charges()).isEqualTo(1);
    }

    private void assertOneExecution(Supplier<CompletableFuture<HttpResponse<String>>> call, int success) {
        List<HttpResponse<String>> answers = Stream.generate(call).limit(STORM).toList().stream()
                .map(CompletableFuture::join)
                .toList();

        assertThat(answers)
                .extracting(HttpResponse::statusCode)
                .isSubsetOf(success, 409)
                .contains(success);
        assertThat(answers.stream().filter(answer -> answer.statusCode() == success && !isReplay(answer)))
                .hasSize(1);
        assertThat(shop.ledger().since(before).executions()).isEqualTo(1);
        assertThat(isReplay(call.get().join())).isTrue();
    }
}
