package io.idempotency.sample;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.JsonNode;

/** The same buttons with the starter switched off. */
@SpringBootTest(
        webEnvironment = WebEnvironment.RANDOM_PORT,
        properties = {"idempotency.enabled=false", "sample.gateway.webhook-attempts=0"})
class UnprotectedPageTests implements OnH2 {

    @Autowired
    private JdbcClient jdbc;

    @LocalServerPort
    private int port;

    private Page page;

    @BeforeEach
    void open() {
        page = Page.open(port);
        // Every story is that of a new customer, as the first one on a new database is.
        jdbc.sql("delete from leads").update();
    }

    @Test
    void thePageSaysThatProtectionIsOff() {
        assertThat(page.protection()).startsWith("Protection is off");
    }

    @Test
    void anOrderThatIsPaidOnceIsDoneOnce() {
        page.play("pay");

        assertThat(page.ledger()).isEqualTo(Map.of("charges", 1, "accounts", 1, "invoices", 1, "mails", 1));
        assertThat(page.isGood()).isTrue();
        assertThatThePageTellsWhatTheTablesHold();
    }

    @Test
    void aDoubleClickIsChargedTwice() {
        page.play("double-click");

        assertThat(page.ledger()).containsEntry("charges", 2).containsEntry("invoices", 2);
        assertThat(page.verdict()).contains("charged twice", "mailed twice");
        assertThatThePageTellsWhatTheTablesHold();
    }

    @Test
    void aRetryAfterAMailThatFailedChargesAgain() {
        page.play("mail");

        assertThat(page.ledger()).containsEntry("charges", 2).containsEntry("accounts", 2);
        assertThat(page.verdict()).contains("charged twice");
        assertThatThePageTellsWhatTheTablesHold();
    }

    @Test
    void anotherAmountWithAUsedKeyIsCharged() {
        page.play("other-amount");

        assertThat(page.ledger()).containsEntry("charges", 2).containsEntry("mails", 2);
        assertThat(page.seen()).contains("The card was charged twice: €1,200.99.");
        assertThatThePageTellsWhatTheTablesHold();
    }

    @Test
    void aStormIsAStormOfCharges() {
        page.play("storm");

        assertThat(page.ledger().get("charges")).isGreaterThan(2);
        assertThat(page.verdict())
                .contains("charged %d times".formatted(page.ledger().get("charges")));
        assertThatThePageTellsWhatTheTablesHold();
    }

    @Test
    void anEventThatTheGatewaySendsAgainIsInvoicedAgainAndTheTableOfTheShopTakesOneInvoice() {
        page.play("gateway");

        assertThat(page.ledger().get("invoices")).as("%s", page.sent()).isGreaterThan(1);
        assertThat(page.seen()).anyMatch(sentence -> sentence.contains("of which the shop's own table took 1"));
        assertThat(page.timeline("checkout")).isEmpty();
        assertThatThePageTellsWhatTheTablesHold();
    }

    @Test
    @Tag("faults")
    @Tag("faults-long")
    void anOrderWhoseWorkerWasKilledIsChargedAgain() {
        page.play("worker");

        assertThat(page.ledger()).containsEntry("charges", 2).containsEntry("accounts", 2);
        assertThat(page.verdict()).contains("charged twice");
        assertThatThePageTellsWhatTheTablesHold();
    }

    /** Compares the tiles and sentences with the rows of the shop, and with those of the systems around it. */
    private void assertThatThePageTellsWhatTheTablesHold() {
        String orderId = page.orderId();
        JsonNode outside = new ShopClient(port).ledger(orderId).simulators();
        long accounts = count("accounts where order_id = ?", orderId);
        long filed = count("invoices join accounts on accounts.id = account_id where order_id = ?", orderId);
        int made = outside.at("/invoices/count").asInt();
        Map<String, Integer> held = Map.of(
                "charges",
                outside.at("/charges/count").asInt(),
                "accounts",
                (int) accounts,
                "invoices",
                made,
                "mails",
                outside.at("/mails/count").asInt());
        assertThat(page.ledger()).isEqualTo(held);
        assertThat(page.isGood()).isEqualTo(held.values().stream().allMatch(count -> count == 1));
        assertThat(page.seen().stream()
                        .anyMatch(sentence -> sentence.endsWith("took %d, and got %s."
                                .formatted(filed, held.get("mails") == 1 ? "1 mail" : held.get("mails") + " mails"))))
                .as("the page tells of invoices that the table of the shop rejected: %s", page.seen())
                .isEqualTo(made > filed);
    }

    private long count(String rows, String orderId) {
        return jdbc.sql("select count(*) from " + rows)
                .param(orderId)
                .query(Long.class)
                .single();
    }
}
