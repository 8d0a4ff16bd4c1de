package io.idempotency.sample;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;

/** The same buttons with the starter switched off. */
@SpringBootTest(
        webEnvironment = WebEnvironment.RANDOM_PORT,
        properties = {"idempotency.enabled=false", "sample.gateway.webhook-attempts=0"})
class UnprotectedPageTests implements OnH2 {

    @LocalServerPort
    private int port;

    private Page page;

    @BeforeEach
    void open() {
        page = Page.open(port);
    }

    @Test
    void thePageSaysThatProtectionIsOff() {
        assertThat(page.protection()).startsWith("Protection is off");
    }

    @Test
    void aRetryAfterAMailThatFailedChargesAgain() {
        page.play("mail");

        assertThat(page.ledger()).containsEntry("charges", 2).containsEntry("accounts", 2);
        assertThat(page.isGood()).isFalse();
        assertThat(page.verdict()).contains("charged twice");
    }

    @Test
    void anotherAmountWithAUsedKeyIsCharged() {
        page.play("other-amount");

        assertThat(page.ledger()).containsEntry("charges", 2).containsEntry("mails", 2);
        assertThat(page.seen()).contains("The card was charged twice: €1,200.99.");
    }

    @Test
    void anEventThatTheGatewaySendsAgainIsInvoicedAgainAndTheTableOfTheShopTakesOneInvoice() {
        page.play("gateway");

        assertThat(page.ledger().get("invoices")).as("%s", page.sent()).isGreaterThan(1);
        assertThat(page.seen()).anyMatch(sentence -> sentence.contains("of which the shop's own table took 1"));
        assertThat(page.timeline("checkout")).isEmpty();
    }
}
