package io.idempotency.sample.simulator;

import java.time.Duration;
import java.util.stream.Stream;

/**
 * How the simulated systems behave.
 *
 * @param invoiceLatency how long the invoicing service takes to answer
 * @param mailLatency how long the mail service takes to answer, after it has sent the mail
 * @param mailFailures how many mails will be refused with 503
 * @param lostReplies how many charges will be made without the caller getting a reply
 * @param webhookTimeout how long the gateway waits for the answer to a webhook
 * @param webhookBackOff how long it waits before it sends a webhook again; doubled each time
 * @param webhookAttempts how often it sends a webhook before it gives up; 0 sends none
 */
record Settings(
        Duration invoiceLatency,
        Duration mailLatency,
        int mailFailures,
        int lostReplies,
        Duration webhookTimeout,
        Duration webhookBackOff,
        int webhookAttempts) {

    Settings {
        if (Stream.of(invoiceLatency, mailLatency, webhookBackOff).anyMatch(Duration::isNegative)
                || webhookTimeout.isNegative()
                || webhookTimeout.isZero()) {
            throw new IllegalArgumentException("Times are not negative, and the time-out of webhooks is not zero");
        }
        if (mailFailures < 0 || lostReplies < 0 || webhookAttempts < 0) {
            throw new IllegalArgumentException("Numbers are not negative");
        }
    }

    Settings withMailFailures(int failures) {
        return new Settings(
                invoiceLatency, mailLatency, failures, lostReplies, webhookTimeout, webhookBackOff, webhookAttempts);
    }

    Settings withLostReplies(int replies) {
        return new Settings(
                invoiceLatency, mailLatency, mailFailures, replies, webhookTimeout, webhookBackOff, webhookAttempts);
    }
}
