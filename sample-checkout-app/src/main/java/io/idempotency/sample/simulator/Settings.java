package io.idempotency.sample.simulator;

import java.time.Duration;

/**
 * How the simulated systems behave. Whoever makes one from outside has checked the values.
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

    /** The longest time that any of them may be. */
    static final int MOST_HOURS = 24;

    /** The largest number that any of them may be. */
    static final int MOST = 1_000_000;

    Settings withMailFailures(int failures) {
        return new Settings(
                invoiceLatency, mailLatency, failures, lostReplies, webhookTimeout, webhookBackOff, webhookAttempts);
    }

    Settings withLostReplies(int replies) {
        return new Settings(
                invoiceLatency, mailLatency, mailFailures, replies, webhookTimeout, webhookBackOff, webhookAttempts);
    }
}
