package io.idempotency.sample.simulator;

import java.util.concurrent.ThreadFactory;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

/** Makes threads that keep no process alive. */
final class DaemonThreads {

    private DaemonThreads() {}

    static ThreadFactory named(String name) {
        CustomizableThreadFactory threads = new CustomizableThreadFactory(name + "-");
        threads.setDaemon(true);
        return threads;
    }
}
