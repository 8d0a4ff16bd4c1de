package io.idempotency.sample.simulator;

import java.io.IOException;
import java.net.URI;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;

/** Starts the simulated systems, unless they run elsewhere. */
@Configuration(proxyBeanMethods = false)
class SimulatorConfiguration {

    /** What gateway and shop share, each by its own code. */
    private static final String WEBHOOK_SECRET = "sample.webhook.secret";

    @Bean
    SimulatorAddress simulatorAddress(SimulatorProperties properties, ObjectProvider<Simulators> simulators) {
        URI elsewhere = properties.simulators().url();
        return new SimulatorAddress(elsewhere == null ? simulators.getObject().url() : elsewhere);
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
