package io.idempotency.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.By;

/** What the page makes of a ledger and of answers. */
class PageVerdictTests extends OnThePage {

    private static final String PAID = "{\"orderNumber\": \"ord\"}";

    @Test
    void anOrderIsDoneOnlyWhenItsInvoiceIsFiledAndItsEventTaken() {
        assertThat(isGood(1, "200", 120000, PAID)).isTrue();
        assertThat(isGood(0, "200", 120000, PAID)).isFalse();
        assertThat(isGood(1, "timeout", 120000, PAID)).isFalse();
    }

    @Test
    void anOrderIsDoneOnlyWhenItsAmountWasChargedAndItWasAnswered() {
        assertThat(isGood(1, "200", 99, PAID)).isFalse();
        assertThat(isGood(1, "200", 120000, "{}")).isFalse();
        assertThat(isGood(1, "200", 120000, "{\"orderNumber\": \"ord\", \"changes\": {\"amountCents\": 99}}"))
                .isFalse();
    }

    @Test
    void aLedgerThatListsFewerRowsThanItCountsSaysSo() {
        assertThat(rowsHeading(1)).isEqualTo("The rows");
        assertThat(rowsHeading(101)).isEqualTo("The rows: the newest of each kind");
    }

    @Test
    void aWorkerThatCannotBeKilledIsExplained() {
        browser.executeScript("""
                const { fetch } = window;
                window.fetch = (path, options) => path === "/api/workers"
                  ? Promise.resolve(new Response('{"detail": "The worker is late"}', { status: 504 }))
                  : fetch(path, options);""");

        browser.findElement(By.id("worker")).click();

        await().atMost(Duration.ofMinutes(1))
                .untilAsserted(() -> assertThat(page.verdict())
                        .endsWith("The story broke off: /api/workers was answered with 504: The worker is late"));
    }

    private boolean isGood(int filed, String answer, int cents, String answered) {
        String ledger = """
                {"accounts": 1, "invoices": %d, "emails": 1, "simulators": {
                  "charges": {"count": 1, "amountCents": %d, "newest": []}, "invoices": {"count": 1},
                  "deliveries": {"newest": [{"answer": "%s"}]}}}""".formatted(filed, cents, answer);
        String story = "{\"order\": {\"amountCents\": 120000}, \"answers\": [%s]}".formatted(answered);
        return Boolean.TRUE.equals(browser.executeAsyncScript("""
                const [ledger, story, done] = arguments;
                import("/seen.js").then(({ verdict }) => {
                  done(verdict(JSON.parse(ledger), JSON.parse(story)).good);
                });""", ledger, story));
    }

    private String rowsHeading(int count) {
        String entries =
                "{\"count\": 1, \"amountCents\": 0, \"newest\": [{\"amountCents\": 0, \"at\": 0, \"openedAt\": 0}]}";
        String template = """
                {"shop": {"accounts": %1$s}, "simulators": {"charges": %1$s, "invoices": %2$s, "mails": %1$s}}""";
        String ledger = template.formatted(entries, entries.replace("\"count\": 1", "\"count\": " + count));
        return String.valueOf(browser.executeAsyncScript("""
                const [ledger, done] = arguments;
                import("/ledger.js").then(({ showLedger }) => {
                  showLedger(JSON.parse(ledger));
                  done(document.getElementById("rows-heading").textContent);
                });""", ledger));
    }
}
