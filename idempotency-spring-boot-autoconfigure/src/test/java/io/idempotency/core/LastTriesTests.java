package io.idempotency.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LastTriesTests {

    private static final Duration LONG = Duration.ofMinutes(10);

    private final AtomicBoolean done = new AtomicBoolean();

    private final AtomicBoolean interrupted = new AtomicBoolean();

    @Test
    void areWaitedFor() {
        LastTries.run(LONG, () -> done.set(true));

        assertThat(done).isTrue();
    }

    @Test
    void areInterruptedWhenTheirTimeIsOver() {
        LastTries.run(Duration.ofMillis(50), this::waitForEver);

        assertThat(interrupted).isTrue();
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void areInterruptedWithWhomTheyKeepWaiting() {
        Thread.currentThread().interrupt();

        LastTries.run(LONG, this::waitForEver);

        assertThat(Thread.interrupted()).isTrue();
        assertThat(interrupted).isTrue();
    }

    private void waitForEver() {
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException over) {
            interrupted.set(true);
        }
    }
}
