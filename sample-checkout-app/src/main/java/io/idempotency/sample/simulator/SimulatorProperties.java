package io.idempotency.sample.simulator;

import java.net.URI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;

/** What the simulated systems are started with. All but the addresses can be changed while they run. */
@ConfigurationProperties("sample")
record SimulatorProperties(Simulators simulators, Gateway gateway, Invoice invoice, Mail mail) {

    Settings settings() {
        return new Settings(
                invoice.latency(),
                mail.latency(),
                mail.failures(),
                gateway.lostReplies(),
                gateway.webhookTimeout(),
                gateway.webhookBackOff(),
                gateway.webhookAttempts());
    }

    /**
     * The simulated systems.
     *
     * @param url Where they run already, for example beside another node. Unless set, this node starts them.
     * @param port Port on which they answer. 0 chooses a free one.
     * @param databaseUrl H2 database that keeps their tables.
     */
    record Simulators(@Nullable URI url, int port, String databaseUrl) {}

    /**
     * The payment gateway. It honours idempotency keys.
     *
     * @param lostReplies How many charges are made without the caller getting a reply.
     * @param webhookUrl Where webhooks are sent. Unless set, to the shop in the same process.
     * @param webhookTimeout How long the gateway waits for the answer to a webhook.
     * @param webhookBackOff How long it waits before it sends a webhook again. Doubled each time.
     * @param webhookAttempts How often it sends a webhook before it gives up. 0 sends none.
     */
    record Gateway(
            int lostReplies,
            @Nullable URI webhookUrl,
            Duration webhookTimeout,
            Duration webhookBackOff,
            int webhookAttempts) {}

    /**
     * The invoicing service. It honours idempotency keys.
     *
     * @param latency How long it takes to answer.
     */
    record Invoice(Duration latency) {}

    /**
     * The mail service. It ignores idempotency keys.
     *
     * @param failures How many mails are refused with 503 before one is sent.
     * @param latency How long it takes to answer, after the mail was sent.
     */
    record Mail(int failures, Duration latency) {}
}
