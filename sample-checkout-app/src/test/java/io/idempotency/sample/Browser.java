package io.idempotency.sample;

import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;

/** The Chromium that is installed, without a window. All tests share it; it ends with their JVM. */
final class Browser {

    private static final Optional<File> CHROMIUM = installed("chromium", "chromium-browser", "google-chrome");

    private static final Optional<File> DRIVER = installed("chromedriver");

    private Browser() {}

    /** Returns the browser, or skips the test where none is installed. */
    static ChromeDriver start() {
        assumeThat(CHROMIUM.isPresent() && DRIVER.isPresent())
                .as("chromium and chromedriver are on the path")
                .isTrue();
        return Started.DRIVER;
    }

    private static Optional<File> installed(String... names) {
        return Stream.of(System.getenv("PATH").split(File.pathSeparator))
                .flatMap(directory -> Stream.of(names).map(name -> new File(directory, name)))
                .filter(File::canExecute)
                .findFirst();
    }

    /** Started when it is first asked for. */
    private static final class Started {

        private static final ChromeDriver DRIVER = driver();

        private static ChromeDriver driver() {
            ChromeOptions options = new ChromeOptions()
                    .setBinary(CHROMIUM.orElseThrow())
                    .addArguments(
                            "--headless=new",
                            "--no-sandbox",
                            "--disable-gpu",
                            "--disable-quic",
                            "--no-first-run",
                            "--disable-background-networking",
                            "--disable-component-update",
                            "--disable-sync",
                            "--disable-dev-shm-usage",
                            "--user-data-dir=" + userData());
            ChromeDriver driver = new ChromeDriver(
                    new ChromeDriverService.Builder()
                            .usingDriverExecutable(Browser.DRIVER.orElseThrow())
                            .build(),
                    options);
            Runtime.getRuntime().addShutdownHook(new Thread(driver::quit));
            return driver;
        }

        private static Path userData() {
            try {
                return Files.createTempDirectory(Path.of("target"), "chromium").toAbsolutePath();
            } catch (IOException failure) {
                throw new UncheckedIOException(failure);
            }
        }
    }
}
