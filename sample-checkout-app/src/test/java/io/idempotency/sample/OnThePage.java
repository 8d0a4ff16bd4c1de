package io.idempotency.sample;

import org.junit.jupiter.api.BeforeEach;
import org.openqa.selenium.By;
import org.openqa.selenium.chrome.ChromeDriver;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;

/** The page of a shop with its default database, open in the browser. */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
abstract class OnThePage implements OnH2 {

    @LocalServerPort
    int port;

    Page page;

    ChromeDriver browser;

    @BeforeEach
    void open() {
        page = Page.open(port);
        browser = page.browser();
    }

    final String note() {
        return browser.findElement(By.id("settings-note")).getText();
    }

    final void openAllDetails() {
        browser.executeScript("document.querySelectorAll('details').forEach((it) => { it.open = true; })");
    }
}
