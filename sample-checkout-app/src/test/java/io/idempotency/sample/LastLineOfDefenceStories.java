package io.idempotency.sample;

import static io.idempotency.sample.ShopClient.event;
import static io.idempotency.sample.ShopClient.json;
import static io.idempotency.sample.ShopClient.order;
import static io.idempotency.sample.ShopClient.unique;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idempotency.sample.ShopClient.Counts;
import io.idempotency.sample.ShopClient.Ledger;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/** What the unique constraints of the shop do where nothing else protects it. */
@SpringBootTest(
        webEnvironment = WebEnvironment.RANDOM_PORT,
        properties = {"idempotency.enabled=false", "sample.gateway.webhook-attempts=0"})
abstract class LastLineOfDefenceStories {

    @Autowired
    private JdbcClient jdbc;

    @Autowired
    private TransactionTemplate transaction;

    @LocalServerPort
    private int port;

    private ShopClient shop;

    private Ledger before;

    @BeforeEach
    void lookAtTheLedger() {
        shop = new ShopClient(port);
        before = shop.ledger();
    }

    @Test
    void theShopFilesNoSecondInvoiceForAnEventAndDoesNotDenyThatOfTheInvoicingService() {
        String orderId = unique("order");
        String event = event(unique("evt"), orderId);
        HttpResponse<String> first = shop.deliver(event);

        HttpResponse<String> second = shop.deliver(event);

        assertThat(first.statusCode()).isEqualTo(200);
        assertConflict(second, "unique_checkout_event_id");
        assertThat(json(second).get("detail").asString())
                .endsWith("The shop filed no second invoice; what another system did before is not undone.");
        assertThat(shop.ledger(orderId).simulators().at("/invoices/count").asInt())
                .as("invoices that the invoicing service made")
                .isEqualTo(2);
        assertThat(shop.ledger().since(before)).isEqualTo(new Counts(0, 1, 1, 1, 0, 0, 0));
    }

    @Test
    void anAddressIsALeadOnceHoweverItIsWritten() {
        String name = unique("ada");
        shop.captureLead(unique("key"), name + "@example.com");

        HttpResponse<String> second = shop.captureLead(unique("key"), name.toUpperCase(Locale.ROOT) + "@Example.COM");

        assertConflict(second, "unique_lead_email");
    }

    @Test
    void twoFirstOrdersOfACustomerAtTheSameMomentAreOneLead() {
        String name = unique("ada");
        String order = order(unique("order"), name + "@Example.COM", 120000);

        CompletableFuture<HttpResponse<String>> second = transaction.execute(status -> {
            jdbc.sql("insert into leads (id, normalized_email) values (?, ?)")
                    .params("lead_of_the_first", name + "@example.com")
                    .update();
            CompletableFuture<HttpResponse<String>> answer = shop.checkoutLater(unique("key"), order);
            // The other checkout has looked and found nothing, and its insert waits for this transaction to end.
            await().atMost(Duration.ofMinutes(1)).until(this::isALeadBeingInserted);
            return answer;
        });

        assertThat(second.join().statusCode()).as(second.join().body()).isEqualTo(201);
        assertThat(shop.ledger().since(before)).isEqualTo(new Counts(1, 1, 0, 1, 0, 0, 0));
        assertThat(jdbc.sql("select id from leads where normalized_email = ?")
                        .param(name + "@example.com")
                        .query(String.class)
                        .list())
                .containsExactly("lead_of_the_first");
    }

    @Test
    void withoutTheStarterACheckoutThatIsSentAgainIsChargedAgain() {
        String key = unique("key");
        String order = order(unique("order"), "ada@example.com", 120000);

        shop.checkout(key, order);
        shop.checkout(key, order);

        assertThat(shop.ledger().since(before)).isEqualTo(new Counts(2, 2, 0, 2, 0, 0, 0));
    }

    /** Returns a query that counts the sessions of the database that are busy inserting a lead. */
    abstract String sessionsInsertingALead();

    private boolean isALeadBeingInserted() {
        return jdbc.sql(sessionsInsertingALead()).query(Long.class).single() > 0;
    }

    private static void assertConflict(HttpResponse<String> response, String constraint) {
        assertThat(response.statusCode()).isEqualTo(409);
        assertThat(response.headers().firstValue("Content-Type")).hasValue("application/problem+json");
        assertThat(json(response).get("constraint").asString()).isEqualTo(constraint);
        assertThat(json(response).get("type").asString()).startsWith("urn:problem-type:shop:duplicate-");
        assertThat(json(response).get("detail").asString()).doesNotContainIgnoringCase("insert into", "@");
    }
}
