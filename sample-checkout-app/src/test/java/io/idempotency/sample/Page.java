package io.idempotency.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.openqa.selenium.By;
import org.openqa.selenium.Dimension;
import org.openqa.selenium.chrome.ChromeDriver;

/** The page in the browser, as somebody sees it who sits before it. */
record Page(ChromeDriver browser) {

    private static final Duration PATIENCE = Duration.ofMinutes(5);

    /** Opens the page of a shop, whose gateway is quick to send again what was not taken. */
    static Page open(int port) {
        ChromeDriver browser = Browser.start();
        new ShopClient(port)
                .change(Map.of(
                        "invoiceLatency",
                        "PT0S",
                        "mailFailures",
                        0,
                        "lostReplies",
                        0,
                        "webhookBackOff",
                        "PT0.2S",
                        "webhookAttempts",
                        10));
        browser.manage().window().setSize(new Dimension(1200, 900));
        browser.get("http://localhost:" + port + "/");
        Page page = new Page(browser);
        await().atMost(PATIENCE).until(() -> !page.texts("#protection").contains(""));
        return page;
    }

    /** Presses the button of a story, and waits for its end. */
    void play(String story) {
        browser.findElement(By.id(story)).click();
        awaitEnd();
    }

    /** Turns the switch that lets the gateway and the invoice take as long as they do in the story. */
    void chooseRealTime() {
        browser.findElement(By.id("real-time")).click();
    }

    void awaitEnd() {
        await().atMost(PATIENCE)
                .until(() -> browser.findElements(By.cssSelector("#verdict.good, #verdict.bad"))
                                .size()
                        == 1);
        assertThat(verdict()).doesNotContain("broke off");
    }

    /** Says whether the page finds that everything was done once. */
    boolean isGood() {
        return !browser.findElements(By.cssSelector("#verdict.good")).isEmpty();
    }

    String verdict() {
        return texts("#verdict").get(0);
    }

    String protection() {
        return texts("#protection").get(0);
    }

    /** Returns the number on each tile. */
    Map<String, Integer> ledger() {
        return read(".tile", "made => made.id + ' ' + made.querySelector('strong').textContent").stream()
                .map(tile -> tile.split(" "))
                .collect(Collectors.toMap(tile -> tile[0], tile -> Integer.valueOf(tile[1])));
    }

    /** Returns the number of the order that the ledger is of. */
    String orderId() {
        String scope = texts("#ledger-scope").get(0);
        return scope.substring(scope.indexOf("order-"), scope.length() - 1);
    }

    /** Returns what the page says of what was seen, sentence by sentence. */
    List<String> seen() {
        return texts("#seen li");
    }

    /** Returns the cells of the rows of the ledger. */
    List<String> rows() {
        return texts("#rows td");
    }

    /** Returns what was sent and answered, line by line. */
    List<String> sent() {
        return texts("#sent li span");
    }

    /** Returns the kinds of what happened to the keys of an operation. */
    List<String> timeline(String operation) {
        return read("[data-operation=%s] li".formatted(operation), "entry => entry.dataset.kind");
    }

    /** Returns how long after the first of them something happened to a key of an operation. */
    double secondsUntil(String operation, String kind) {
        String time = texts("[data-operation=%s] [data-kind=%s] time".formatted(operation, kind))
                .get(0);
        return Double.parseDouble(time.substring(1, time.indexOf(' ')));
    }

    /** Takes a picture of all of it, as PNG. */
    byte[] picture() {
        Map<?, ?> size = (Map<?, ?>) Objects.requireNonNull(browser.executeScript("""
                const { scrollWidth, scrollHeight } = document.documentElement;
                return { x: 0, y: 0, width: scrollWidth, height: scrollHeight, scale: 1 };"""));
        Map<String, Object> taken = browser.executeCdpCommand(
                "Page.captureScreenshot", Map.of("format", "png", "captureBeyondViewport", true, "clip", size));
        return Base64.getDecoder().decode(String.valueOf(taken.get("data")));
    }

    private List<String> texts(String selector) {
        return read(selector, "found => found.textContent");
    }

    /** Reads all at once, since the page may show something newer between two questions. */
    private List<String> read(String selector, String function) {
        Object[] read = ((List<?>) Objects.requireNonNull(browser.executeScript(
                        "return [...document.querySelectorAll(arguments[0])].map(" + function + ")", selector)))
                .toArray();
        return Stream.of(read).map(String::valueOf).toList();
    }
}
