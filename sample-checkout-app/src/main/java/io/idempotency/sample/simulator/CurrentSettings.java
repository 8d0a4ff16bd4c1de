package io.idempotency.sample.simulator;

import java.time.Duration;
import java.util.function.Function;

/** The settings that hold now. Thread-safe. */
final class CurrentSettings {

    private Settings settings;

    CurrentSettings(Settings settings) {
        this.settings = settings;
    }

    synchronized Settings get() {
        return settings;
    }

    synchronized void set(Settings changed) {
        settings = changed;
        notifyAll();
    }

    /** Returns whether this mail is to be refused, and counts it if so. */
    synchronized boolean refusesMail() {
        if (settings.mailFailures() == 0) {
            return false;
        }
        settings = settings.withMailFailures(settings.mailFailures() - 1);
        return true;
    }

    /** Returns whether this reply gets lost, and counts it if so. */
    synchronized boolean losesReply() {
        if (settings.lostReplies() == 0) {
            return false;
        }
        settings = settings.withLostReplies(settings.lostReplies() - 1);
        return true;
    }

    /** Waits as long as one of the settings says. A change of the settings holds also for those who wait already. */
    synchronized void await(Function<Settings, Duration> latency) throws InterruptedException {
        long start = System.nanoTime();
        Duration left = latency.apply(settings);
        while (left.toMillis() > 0) {
            wait(left.toMillis());
            left = latency.apply(settings).minusNanos(System.nanoTime() - start);
        }
    }
}
