package io.idempotency.sample;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.openqa.selenium.chrome.ChromeDriver;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;

/**
 * The colours of the page, in all of its moods, as the browser computes them: WCAG 2.2, success criteria 1.4.3 (text) and
 * 1.4.11 (marks, borders that mean something, the outline of what has the focus).
 */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
class ContrastTests implements OnH2 {

    /** Returns how much was measured, and what has too little contrast. */
    private static final String MEASURE = """
            const parts = (color) => color.match(/[\\d.]+/g).map(Number);
            const channel = (value) => value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4;
            const luminance = ([red, green, blue]) =>
              0.2126 * channel(red) + 0.7152 * channel(green) + 0.0722 * channel(blue);
            const ratio = (one, other) => {
              const [dark, light] = [luminance(parts(one)), luminance(parts(other))].sort((a, b) => a - b);
              return (light + 0.05) / (dark + 0.05);
            };
            const ground = (element) => {
              const color = getComputedStyle(element).backgroundColor;
              return parts(color)[3] === 0 ? ground(element.parentElement) : color;
            };
            const poor = new Set();
            let measured = 0;
            const check = (what, color, behind, least) => {
              measured++;
              if (!(ratio(color, behind) >= least)) {
                poor.add(`${what}: ${color} on ${behind} is ${ratio(color, behind).toFixed(2)}, not ${least}`);
              }
            };
            const name = (element) =>
              [element.tagName, element.id, element.className, element.parentElement.className].join(" ");
            const checkTexts = () => {
              for (const element of document.querySelectorAll("body *")) {
                const hasText = [...element.childNodes].some((child) => child.nodeType === 3 && child.data.trim());
                if (hasText && element.getClientRects().length) {
                  const { color, fontSize, fontWeight } = getComputedStyle(element);
                  const isLarge = parseFloat(fontSize) >= (fontWeight >= 700 ? 18.66 : 24);
                  check(name(element), color, ground(element), isLarge ? 3 : 4.5);
                }
              }
              for (const mark of document.querySelectorAll(".lane li")) {
                const { backgroundColor, borderTopColor, borderTopWidth } = getComputedStyle(mark, "::before");
                check(`mark ${mark.className}`, borderTopWidth === "0px" ? backgroundColor : borderTopColor, ground(mark), 3);
              }
              for (const button of document.querySelectorAll("button:not([aria-disabled=true])")) {
                check("border of a button", getComputedStyle(button).borderTopColor, ground(button.parentElement), 3);
              }
              const verdict = document.getElementById("verdict");
              if (verdict.className !== "verdict") {
                check(verdict.className, getComputedStyle(verdict).borderLeftColor, ground(verdict.parentElement), 3);
              }
            };
            const moods = {
              "#verdict": ["verdict", "verdict running", "verdict good", "verdict bad"],
              "#protection": ["protection", "protection off"],
              ".tile": ["tile", "tile good", "tile bad"],
              "#sent li": ["you", "gateway", "worker"],
              ".lane li": ["run", "good", "skip", "wait", "bad", "step"],
              "#stories button": ["", "running"],
            };
            document.querySelectorAll("details").forEach((it) => { it.open = true; });
            for (const disabled of ["false", "true"]) {
              document.querySelectorAll("#stories button").forEach((it) => it.setAttribute("aria-disabled", disabled));
              for (const [selector, classes] of Object.entries(moods)) {
                for (const mood of classes) {
                  document.querySelectorAll(selector).forEach((element) => { element.className = mood; });
                  checkTexts();
                }
              }
            }
            for (const focusable of document.querySelectorAll("button, input, summary, [tabindex]")) {
              focusable.focus({ focusVisible: true });
              const { outlineColor, outlineStyle, outlineWidth } = getComputedStyle(focusable);
              check(`outline of ${name(focusable)}`, outlineColor, ground(focusable.parentElement), 3);
              if (outlineStyle !== "solid" || parseFloat(outlineWidth) < 2) {
                poor.add(`${name(focusable)} does not show that it has the focus`);
              }
            }
            return [measured, ...poor];""";

    @LocalServerPort
    private int port;

    private ChromeDriver browser;

    @AfterEach
    void asTheBrowserPrefersIt() {
        if (browser != null) {
            browser.executeCdpCommand("Emulation.setEmulatedMedia", Map.of("features", List.of()));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"light", "dark"})
    void whatIsShownCanBeSeen(String scheme) {
        Page page = Page.open(port);
        browser = page.browser();
        browser.executeCdpCommand(
                "Emulation.setEmulatedMedia",
                Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
        page.play("other-amount");

        List<?> found = (List<?>) Objects.requireNonNull(browser.executeScript(MEASURE));

        assertThat((Long) found.get(0)).as("what was measured").isGreaterThan(1_000);
        assertThat(found.subList(1, found.size())).isEmpty();
    }
}
