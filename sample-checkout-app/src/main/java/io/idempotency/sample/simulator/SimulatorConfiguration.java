package io.idempotency.sample.simulator;

import java.io.IOException;
import java.net.URI;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;

/** Starts the simulated systems, unless they run elsewhere, or on their port already beside another node. */
@Configuration(proxyBeanMethods = false)
class SimulatorConfiguration {

    private static final Logger logger = LoggerFactory.getLogger(SimulatorConfiguration.class);

    /** What gateway and shop share, each by its own code. */
    private static final String WEBHOOK_SECRET = "sample.webhook.secret";

    @Bean
    SimulatorAddress simulatorAddress(SimulatorProperties properties, ObjectProvider<Simulators> simulators) {
        URI elsewhere = properties.simulators().url();
        return new SimulatorAddress(
                elsewhere == null
                        ? ofAnotherNode(properties.simulators().port())
                                .orElseGet(() -> simulators.getObject().url())
                        : elsewhere);
    }

    private static Optional<URI> ofAnotherNode(int port) {
        Optional<URI> found = RunningSimulators.on(port);
        found.ifPresent(url ->
                logger.info("The gateway, the invoicing and the mail service are those of another node, at {}", url));
        return found;
    }

    @Bean
    @Lazy // only where no other address is given
    Simulators simulators(SimulatorProperties properties, Environment environment) throws IOException {
        return new Simulators(
                properties, environment.getRequiredProperty(WEBHOOK_SECRET), () -> webhookUrl(properties, environment));
    }

    /** The shop's port is known once its server has started, which is before anybody pays. */
    private static URI webhookUrl(SimulatorProperties properties, Environment environment) {
        URI configured = properties.gateway().webhookUrl();
        return configured == null
                ? URI.create("http://localhost:" + environment.getRequiredProperty("local.server.port")
                        + "/webhooks/payments")
                : configured;
    }
}
