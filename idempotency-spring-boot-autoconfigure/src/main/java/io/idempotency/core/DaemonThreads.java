package io.idempotency.core;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/** Makes named threads that never keep a JVM alive. */
final class DaemonThreads implements ThreadFactory {

    private final String prefix;

    private final AtomicInteger count = new AtomicInteger();

    DaemonThreads(String prefix) {
        this.prefix = prefix;
    }

    @Override
    public Thread newThread(Runnable task) {
        // Without the inheritable thread-locals and the class loader of the first caller, who would be remembered for
        // ever. Tomcat looks for threads of its applications when it stops, and warns of each.
        Thread thread = new Thread(null, task, prefix + "-" + count.incrementAndGet(), 0, false);
        thread.setContextClassLoader(DaemonThreads.class.getClassLoader());
        thread.setDaemon(true);
        return thread;
    }
}
