package io.idempotency.sample;

import static io.idempotency.sample.ShopClient.event;
import static io.idempotency.sample.ShopClient.isReplay;
import static io.idempotency.sample.ShopClient.order;
import static io.idempotency.sample.ShopClient.unique;
import static org.assertj.core.api.Assertions.assertThat;

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
abstract class ShopStories
        implements CheckoutStories,
                OrderStories,
                DeliveryStories,
                WebhookStories,
                RefundStories,
                FailureStories,
                WorkerStories {

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
