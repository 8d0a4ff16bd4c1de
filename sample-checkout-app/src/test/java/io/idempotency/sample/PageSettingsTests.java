package io.idempotency.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;

/** The settings of the other systems, as they are seen and changed on the page. */
class PageSettingsTests extends OnThePage {

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

    private String setting(String name) {
        return String.valueOf(
                browser.executeScript("return document.querySelector(`[name=${arguments[0]}]`).value", name));
    }

    private String settings() {
        return browser.findElement(By.id("settings")).getText();
    }
}
