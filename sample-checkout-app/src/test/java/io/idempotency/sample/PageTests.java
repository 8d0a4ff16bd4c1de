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
import org.junit.jupiter.api.Test;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.interactions.Actions;

/** The page for those who have a phone, a keyboard or a screen reader. */
class PageTests extends OnThePage {

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
