package io.idempotency.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URL;
import java.net.URLClassLoader;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class DaemonThreadsTests {

    private static final InheritableThreadLocal<String> INHERITED = new InheritableThreadLocal<>();

    private final DaemonThreads threads = new DaemonThreads("idempotency-test");

    @Test
    void aThreadHasANumberAndKeepsNoJvmAlive() {
        threads.newThread(() -> {});
        Thread second = threads.newThread(() -> {});

        assertThat(second.getName()).isEqualTo("idempotency-test-2");
        assertThat(second.isDaemon()).isTrue();
    }

    @Test
    void aThreadRemembersNothingOfWhoAskedForIt() throws Exception {
        Thread caller = Thread.currentThread();
        ClassLoader before = caller.getContextClassLoader();
        AtomicReference<Object> inherited = new AtomicReference<>();
        AtomicReference<ClassLoader> loader = new AtomicReference<>();
        try (URLClassLoader ofCaller = new URLClassLoader(new URL[0])) {
            caller.setContextClassLoader(ofCaller);
            INHERITED.set("of the caller");
            Thread thread = threads.newThread(() -> {
                inherited.set(INHERITED.get());
                loader.set(Thread.currentThread().getContextClassLoader());
            });
            thread.start();
            thread.join();

            assertThat(inherited).hasValue(null);
            assertThat(loader).hasValue(DaemonThreads.class.getClassLoader());
        } finally {
            INHERITED.remove();
            caller.setContextClassLoader(before);
        }
    }
}
