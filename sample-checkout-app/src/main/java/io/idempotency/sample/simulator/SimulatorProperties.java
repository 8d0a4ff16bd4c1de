package io.idempotency.sample.simulator;

import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.net.URI;
import java.time.Duration;
import org.hibernate.validator.constraints.time.DurationMax;
import org.hibernate.validator.constraints.time.DurationMin;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.validation.annotation.Validated;

/** What the simulated systems are started with. All but the addresses can be changed while they run. */
@Validated
@ConfigurationProperties("sample")
record SimulatorProperties(
        @Valid Simulators simulators,
        @Valid Gateway gateway,
        @Valid Invoice invoice,
        @Valid Mail mail) {

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
     * @param url Where they run already. Unless set, they are those of another node on their port, else this node starts
     *     them.
     * @param port Port on which they answer. 0 chooses a free one.
     * @param databaseUrl H2 database that keeps their tables.
     */
    record Simulators(@Nullable URI url, @Min(0) @Max(65535) int port, String databaseUrl) {}

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
            @Min(0) @Max(Settings.MOST) int lostReplies,
            @Nullable URI webhookUrl,

            @DurationMin(millis = 1) @DurationMax(hours = Settings.MOST_HOURS)
            Duration webhookTimeout,

            @DurationMin @DurationMax(hours = Settings.MOST_HOURS)
            Duration webhookBackOff,

            @Min(0) @Max(Settings.MOST) int webhookAttempts) {

        Gateway {
            if (webhookUrl != null && (webhookUrl.getHost() == null || !isHttp(webhookUrl))) {
                throw new IllegalArgumentException(
                        "sample.gateway.webhook-url must begin with http:// or https:// and name a host");
            }
        }

        private static boolean isHttp(URI url) {
            return "http".equalsIgnoreCase(url.getScheme()) || "https".equalsIgnoreCase(url.getScheme());
        }
    }

    /**
     * The invoicing service. It honours idempotency keys.
     *
     * @param latency How long it takes to answer.
     */
    record Invoice(
            @DurationMin @DurationMax(hours = Settings.MOST_HOURS)
            Duration latency) {}

    /**
     * The mail service. It ignores idempotency keys.
     *
     * @param failures How many mails are refused with 503 before one is sent.
     * @param latency How long it takes to answer, after the mail was sent.
     */
    record Mail(
            @Min(0) @Max(Settings.MOST) int failures,

            @DurationMin @DurationMax(hours = Settings.MOST_HOURS)
            Duration latency) {}
}
