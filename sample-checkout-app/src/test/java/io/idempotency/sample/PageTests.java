package io.idempotency.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.interactions.Actions;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;

/** The page for those who have a phone, a keyboard or a screen reader. */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
class PageTests implements OnH2 {

    private static final String PAID = "{\"orderNumber\": \"ord\"}";

    @LocalServerPort
    private int port;

    private Page page;

    private ChromeDriver browser;

    @BeforeEach
    void open() {
        page = Page.open(port);
        browser = page.browser();
    }

    @AfterEach
    void leaveThePhone() {
        if (browser != null) {
            browser.executeCdpCommand("Emulation.clearDeviceMetricsOverride", Map.of());
        }
    }

    @Test
    void aStoryCanBePlayedByTheKeyboardAndTheFocusStays() {
        WebElement button = browser.findElement(By.id("pay"));
        button.sendKeys(Keys.ENTER);
        page.awaitEnd();

        assertThat(page.isGood()).isTrue();
        assertThat(browser.switchTo().activeElement()).isEqualTo(button);
    }

    @Test
    void theTabulatorLeadsToEveryControlInTheOrderOfThePage() {
        openAllDetails();
        browser.executeScript("document.activeElement.blur()");
        List<WebElement> controls = browser.findElements(By.cssSelector("button, input, summary, .scroll"));

        assertThat(controls).hasSizeGreaterThanOrEqualTo(9).allSatisfy(control -> {
            new Actions(browser).sendKeys(Keys.TAB).perform();
            assertThat(browser.switchTo().activeElement()).isEqualTo(control);
        });
    }

    @Test
    void everyButtonIsDescribedByItsStory() {
        List<WebElement> buttons = browser.findElements(By.cssSelector("#stories button"));

        assertThat(buttons).hasSizeGreaterThanOrEqualTo(6).allSatisfy(button -> {
            assertThat(button.getAccessibleName()).isNotBlank();
            assertThat(browser.findElement(By.id(button.getDomAttribute("aria-describedby")))
                            .getText())
                    .endsWith(".");
        });
    }

    @Test
    void whatWasSeenIsAnnounced() {
        assertThat(browser.findElement(By.id("verdict")).getAriaRole()).isEqualTo("status");
    }

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

    private String rowsHeading(int count) {
        String entries =
                "{\"count\": 1, \"amountCents\": 0, \"newest\": [{\"amountCents\": 0, \"at\": 0, \"openedAt\": 0}]}";
        String ledger = """
                {"shop": {"accounts": %1$s}, "simulators": {"charges": %1$s, "invoices": %2$s, "mails": %1$s}}""".formatted(entries, entries.replace("\"count\": 1", "\"count\": " + count));
        return String.valueOf(browser.executeAsyncScript("""
                const [ledger, done] = arguments;
                import("/ledger.js").then(({ showLedger }) => {
                  showLedger(JSON.parse(ledger));
                  done(document.getElementById("rows-heading").textContent);
                });""", ledger));
    }

    private boolean isGood(int filed, String answer, int cents, String answered) {
        String ledger = """
                {"accounts": 1, "invoices": %d, "emails": 1, "simulators": {
                  "charges": {"count": 1, "amountCents": %d, "newest": []}, "invoices": {"count": 1},
                  "deliveries": {"newest": [{"answer": "%s"}]}}}""".formatted(filed, cents, answer);
        String story = "{\"order\": {\"amountCents\": 120000}, \"answers\": [%s]}".formatted(answered);
        return Boolean.TRUE.equals(browser.executeAsyncScript("""
                const [ledger, story, done] = arguments;
                import("/seen.js").then(({ verdict }) => done(verdict(JSON.parse(ledger), JSON.parse(story)).good));""", ledger, story));
    }

    @Test
    void twoTabsDoNotLeaveTheSettingsOfEachOtherBehind() {
        ShopClient shop = new ShopClient(port);
        String before = shop.get("/api/simulators/settings").body();

        assertThat(browser.executeAsyncScript("""
                const done = arguments[0];
                import("/shop.js").then(async ({ readSettings, withSettings }) => {
                  let entered;
                  const inside = new Promise((resolve) => { entered = resolve; });
                  let leave;
                  const end = new Promise((resolve) => { leave = resolve; });
                  const first = withSettings({ mailFailures: 7 }, () => { entered(); return end; });
                  await inside;
                  const second = withSettings({ invoiceLatency: "PT1S" }, readSettings);
                  await readSettings(); // the second would have read what the first one set, if it did not wait
                  leave();
                  await first;
                  done((await second).mailFailures);
                });""")).isEqualTo(0L);

        assertThat(shop.get("/api/simulators/settings").body()).isEqualTo(before);
    }

    @Test
    void whoLeavesThePageDuringAStoryLeavesTheSettingsAsTheyWere() {
        ShopClient shop = new ShopClient(port);
        String before = shop.get("/api/simulators/settings").body();
        assertThat(browser.executeAsyncScript("""
                const done = arguments[0];
                import("/shop.js").then(({ withSettings }) =>
                  withSettings({ mailFailures: 7 }, () => new Promise(() => done(true))));""")).isEqualTo(true);
        assertThat(shop.get("/api/simulators/settings").body()).isNotEqualTo(before);

        browser.navigate().refresh();

        await().atMost(Duration.ofMinutes(1))
                .untilAsserted(() ->
                        assertThat(shop.get("/api/simulators/settings").body()).isEqualTo(before));
    }

    @Test
    void theSettingsOfTheOtherSystemsAreChangedAndSetBack() {
        ShopClient shop = new ShopClient(port);
        openAllDetails();
        await().atMost(Duration.ofMinutes(1))
                .until(() -> !setting("mailLatency").isEmpty());

        browser.executeScript("document.querySelector('[name=mailLatency]').select()");
        browser.findElement(By.name("mailLatency")).sendKeys("1.5");
        browser.executeScript("document.querySelector('[name=lostReplies]').select()");
        browser.findElement(By.name("lostReplies")).sendKeys("2", Keys.ENTER);

        await().atMost(Duration.ofMinutes(1))
                .untilAsserted(() -> assertThat(settings()).contains("The other systems behave so from now on."));
        assertThat(ShopClient.json(shop.get("/api/simulators/settings"))
                        .get("mailLatency")
                        .asString())
                .isEqualTo("PT1.5S");
        assertThat(ShopClient.json(shop.get("/api/simulators/settings"))
                        .get("lostReplies")
                        .asInt())
                .isEqualTo(2);
        assertThat(note()).isEqualTo("The other systems do not behave as at their start: see their settings.");

        browser.findElement(By.xpath("//form//button[.='As at the start']")).click();

        await().atMost(Duration.ofMinutes(1))
                .untilAsserted(() -> assertThat(note()).isEmpty());
        assertThat(shop.get("/api/simulators/settings").body())
                .isEqualTo(shop.get("/api/simulators/settings/start").body());
        assertThat(setting("lostReplies")).isEqualTo("0");
    }

    @Test
    void everySettingHasAnInputWithAName() {
        int settings = ShopClient.json(new ShopClient(port).get("/api/simulators/settings"))
                .size();
        openAllDetails();

        assertThat(browser.findElements(By.cssSelector("#settings input")))
                .hasSize(settings)
                .allSatisfy(input -> assertThat(input.getAccessibleName()).isNotBlank());
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

    private String setting(String name) {
        return String.valueOf(
                browser.executeScript("return document.querySelector(`[name=${arguments[0]}]`).value", name));
    }

    private String settings() {
        return browser.findElement(By.id("settings")).getText();
    }

    private String note() {
        return browser.findElement(By.id("settings-note")).getText();
    }

    private void openAllDetails() {
        browser.executeScript("document.querySelectorAll('details').forEach((it) => { it.open = true; })");
    }

    @Test
    void aPhoneScrollsInOneDirectionOnly() {
        browser.executeCdpCommand(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", 360, "height", 740, "deviceScaleFactor", 1, "mobile", true));
        page.play("mail");
        assertThat((Boolean) browser.executeScript("""
                const { top, bottom } = document.getElementById("verdict").getBoundingClientRect();
                return top < innerHeight && bottom > 0;"""))
                .as("what was seen is in view")
                .isTrue();
        openAllDetails();
        assertThat((Long) browser.executeScript("return document.documentElement.scrollWidth"))
                .isLessThanOrEqualTo(360);
    }

    @Test
    void thePictureOfTheReadmeCanBeTakenAgain() throws IOException {
        browser.executeCdpCommand(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", 1200, "height", 900, "deviceScaleFactor", 1, "mobile", true));
        ShopClient shop = new ShopClient(port);
        shop.putSettings(shop.get("/api/simulators/settings/start").body());
        await().atMost(Duration.ofMinutes(1)).until(() -> note().isEmpty());
        page.play("mail");

        byte[] picture = page.picture();

        Files.write(Path.of("target", "sample-page.png"), picture);
        BufferedImage taken = ImageIO.read(new ByteArrayInputStream(picture));
        BufferedImage shown = ImageIO.read(new File("../docs/images/sample-page.png"));
        assertThat(taken.getWidth()).isEqualTo(shown.getWidth());
        assertThat(taken.getHeight()).isGreaterThan(900);
    }

    @Test
    void textsThatCameFromOutsideAreNoMarkup() {
        new ShopClient(port)
                .checkout(
                        ShopClient.unique("key"), ShopClient.order("order", "\\\"<img/src=x>\\\"@example.com", 120000));
        browser.navigate().refresh();

        await().untilAsserted(() -> assertThat(page.rows()).contains("\"<img/src=x>\"@example.com"));
        assertThat(browser.findElements(By.tagName("img"))).isEmpty();
    }
}
