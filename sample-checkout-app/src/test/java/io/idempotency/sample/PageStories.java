package io.idempotency.sample;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;

/** Every button of the page, pressed in a browser, on every store that the shop can be started with. */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
abstract class PageStories {

    static final Map<String, Integer> ONCE = Map.of("charges", 1, "accounts", 1, "invoices", 1, "mails", 1);

    @LocalServerPort
    private int port;

    private Page page;

    @BeforeEach
    void open() {
        page = Page.open(port);
    }

    final Page page() {
        return page;
    }

    @Test
    void whatIsPaidIsDoneOnce() {
        page.play("pay");

        assertThat(page.ledger()).isEqualTo(ONCE);
        assertTold("The order was paid once.");
        assertThat(page.sent()).anyMatch(line -> line.startsWith("sent the order: 201 succeeded, order ord_"));
        assertThat(page.timeline("checkout")).containsExactly("STARTED", "RECORDED");
        assertThat(page.timeline("order"))
                .containsExactly(
                        "STARTED",
                        "STEP_STARTED",
                        "STEP_RECORDED",
                        "STEP_STARTED",
                        "STEP_RECORDED",
                        "STEP_STARTED",
                        "STEP_RECORDED",
                        "RECORDED");
        assertThat(page.timeline("payment-webhook")).startsWith("STARTED").contains("RECORDED");
        assertThat(page.timeline("provisioning")).startsWith("STARTED").contains("RECORDED");
    }

    @Test
    void whatThePageTellsIsInTheLedgerOfTheShop() {
        page.play("pay");

        assertThat(new ShopClient(port).ledger(page.orderId()).made()).isEqualTo(new ShopClient.Made(1, 1, 1, 1));
    }

    @Test
    void aDoubleClickIsOneOrder() {
        page.play("double-click");

        assertThat(page.ledger()).isEqualTo(ONCE);
        assertTold("You asked twice, and the card was charged once.");
        assertThat(page.seen()).anyMatch(sentence -> sentence.startsWith("You sent 2 requests: "));
        assertThat(page.timeline("checkout"))
                .containsOnlyOnce("STARTED")
                .containsAnyOf("WAITING", "REPLAYED", "REFUSED_IN_PROGRESS");
    }

    @Test
    void anEventThatTheGatewaySendsAgainIsInvoicedOnce() {
        page.play("gateway");

        assertThat(page.ledger()).isEqualTo(ONCE);
        assertThat(page.sent()).hasSizeGreaterThan(2);
        int deliveries = page.sent().size() - 1;
        assertTold("The gateway delivered its event %s, and one invoice was made."
                .formatted(deliveries == 2 ? "twice" : deliveries + " times"));
        assertThat(page.sent()).contains("delivered its event, attempt 1: no answer in time");
        assertThat(page.timeline("payment-webhook"))
                .containsOnlyOnce("STARTED")
                .containsAnyOf("REFUSED_IN_PROGRESS", "REPLAYED");
    }

    @Test
    void aRetryAfterAMailThatFailedChargesNothing() {
        page.play("mail");

        assertThat(page.ledger()).isEqualTo(ONCE);
        assertTold("The first try failed, the second one succeeded, and the card was charged once.");
        assertThat(page.sent()).anyMatch(line -> line.startsWith("sent the order: 502 failed"));
        assertThat(page.seen())
                .contains("You sent 2 requests: 1 failed (502, “Another system failed”), 1 succeeded (201).");
        assertThat(page.timeline("order"))
                .containsSubsequence(
                        "STEP_FAILED",
                        "RELEASED",
                        "STARTED",
                        "STEP_SKIPPED",
                        "STEP_SKIPPED",
                        "STEP_RECORDED",
                        "RECORDED");
    }

    @Test
    void anotherAmountWithAUsedKeyIsRefused() {
        page.play("other-amount");

        assertThat(page.ledger()).isEqualTo(ONCE);
        assertThat(page.sent()).anyMatch(line -> line.startsWith("sent another amount, €0.99, with the same key: 422"));
        assertTold("The other amount was refused, and the card was charged once.");
        assertThat(page.timeline("checkout")).containsOnlyOnce("STARTED").contains("REFUSED_OTHER_CONTENT");
    }

    @Test
    void aStormIsOneOrder() {
        page.play("storm");

        assertThat(page.ledger()).isEqualTo(ONCE);
        assertTold("The order came 50 times, and the card was charged once.");
        assertThat(page.seen()).anyMatch(sentence -> sentence.startsWith("You sent 50 requests: "));
        assertThat(page.timeline("checkout")).containsOnlyOnce("STARTED");
    }

    @Test
    @Tag("faults")
    @Tag("faults-long")
    void anOrderWhoseWorkerWasKilledIsFinishedHere() {
        page.play("worker");

        assertThat(page.ledger()).isEqualTo(ONCE);
        assertTold("Its order was finished here, and the card was charged once.");
        assertThat(page.sent()).anyMatch(line -> line.endsWith("was killed in create_account (exit value 137)"));
        assertThat(page.timeline("checkout")).contains("TAKEN_OVER", "RECORDED");
        assertThat(page.timeline("order"))
                .containsSubsequence("TAKEN_OVER", "STEP_SKIPPED", "STEP_RECORDED", "STEP_RECORDED", "RECORDED");
    }

    @Test
    void theSystemsAroundTheShopBehaveAsBeforeAfterAStory() {
        ShopClient shop = new ShopClient(port);
        String before = shop.get("/api/simulators/settings").body();

        page.play("mail");

        assertThat(shop.get("/api/simulators/settings").body()).isEqualTo(before);
    }

    /** Checks what the page tells at first sight: that all is well, and in one sentence why. */
    private void assertTold(String sentence) {
        assertThat(page.isGood()).as(page.verdict()).isTrue();
        assertThat(page.verdict()).endsWith(sentence + " Everything was done, and done once.");
    }
}
