package io.idempotency.sample.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.boot.test.context.ConfigDataApplicationContextInitializer;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.core.io.support.SpringFactoriesLoader.FailureHandler;

class SimulatorConfigurationTests {

    private final ApplicationContextRunner node = new ApplicationContextRunner()
            .withInitializer(new ConfigDataApplicationContextInitializer())
            .withUserConfiguration(NodeConfiguration.class);

    @Test
    void aSecondNodeUsesTheSystemsOfTheFirst() {
        node("0").run(first -> {
            SimulatorAddress running = first.getBean(SimulatorAddress.class);

            node(String.valueOf(running.url().getPort())).run(second -> {
                assertThat(second).hasNotFailed();
                assertThat(second.getBean(SimulatorAddress.class)).isEqualTo(running);
            });
        });
    }

    @Test
    void somethingElseOnTheirPortStopsTheStartWithARemedy() throws IOException {
        HttpServer other = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        other.start();
        try {
            int port = other.getAddress().getPort();
            node(String.valueOf(port)).run(context -> {
                FailureAnalysis analysis = analysisOf(Objects.requireNonNull(context.getStartupFailure()));
                assertThat(analysis.getDescription()).contains("port " + port + " is in use");
                assertThat(analysis.getAction()).contains("sample.simulators.port", "sample.simulators.url");
            });
        } finally {
            other.stop(0);
        }
    }

    @Test
    void filesThatAnotherNodeHasStopTheStartWithARemedy(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("simulators.mv.db");
        try (FileChannel other = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock lock = other.lock()) {
            node("0")
                    .withPropertyValues(
                            "sample.simulators.database-url=jdbc:h2:file:" + directory.resolve("simulators"))
                    .run(context -> {
                        assertThat(lock.isValid()).isTrue();
                        FailureAnalysis analysis = analysisOf(Objects.requireNonNull(context.getStartupFailure()));
                        assertThat(analysis.getDescription()).contains("another node has the files");
                        assertThat(analysis.getAction()).contains("sample.simulators.port", "sample.simulators.url");
                    });
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "sample.mail.failures=-1",
                "sample.mail.failures=1.5",
                "sample.gateway.lost-replies=1000001",
                "sample.gateway.webhook-timeout=0s",
                "sample.gateway.webhook-url=localhost:8080/webhooks/payments",
                "sample.invoice.latency=25h",
                "sample.mail.latency=-1s"
            })
    void aSettingThatMeansNothingStopsTheStartAndIsNamed(String property) {
        node("0")
                .withPropertyValues(property)
                .run(context -> assertThat(analysisOf(Objects.requireNonNull(context.getStartupFailure()))
                                .getDescription()
                                .replace("-", "")
                                .toLowerCase(Locale.ROOT))
                        .contains(property.substring(0, property.indexOf('=')).replace("-", "")));
    }

    private ApplicationContextRunner node(String port) {
        return node.withPropertyValues(
                "sample.simulators.port=" + port, "sample.simulators.database-url=jdbc:h2:mem:" + UUID.randomUUID());
    }

    /** Returns what Spring Boot would print. */
    private static FailureAnalysis analysisOf(Throwable failure) {
        return SpringFactoriesLoader.forDefaultResourceLocation()
                .load(FailureAnalyzer.class, FailureHandler.handleMessage((message, cause) -> {}))
                .stream()
                .map(analyzer -> analyzer.analyze(failure))
                .filter(Objects::nonNull)
                .findFirst()
                .orElseThrow(() -> new AssertionError("The failure is not explained", failure));
    }

    @Configuration(proxyBeanMethods = false)
    @EnableConfigurationProperties(SimulatorProperties.class)
    @Import(SimulatorConfiguration.class)
    static class NodeConfiguration {}
}
