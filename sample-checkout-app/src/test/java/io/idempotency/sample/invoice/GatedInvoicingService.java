package io.idempotency.sample.invoice;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.springframework.context.annotation.Primary;

/** An invoicing service that can be made to take as long as a test wants. Tests import it in place of the real one. */
@Primary
public final class GatedInvoicingService extends InvoicingService {

    private final AtomicReference<@Nullable Gate> next = new AtomicReference<>();

    public GatedInvoicingService() {
        super(new InvoiceProperties(Duration.ZERO));
    }

    /** Makes the next call wait at a gate. */
    public Gate closeGate() {
        Gate gate = new Gate();
        next.set(gate);
        return gate;
    }

    @Override
    public String issue() {
        Gate gate = next.getAndSet(null);
        if (gate != null) {
            gate.pass();
        }
        return super.issue();
    }

    /** One call of the service, held until it is opened. Closing it opens it, so that a failed test holds nobody. */
    public static final class Gate implements AutoCloseable {

        private static final long PATIENCE_SECONDS = 20;

        private final CountDownLatch reached = new CountDownLatch(1);

        private final CountDownLatch open = new CountDownLatch(1);

        private void pass() {
            reached.countDown();
            await(open, "Nobody opened the gate");
        }

        /** Waits until the call stands at the gate. */
        public void awaitCaller() {
            await(reached, "Nobody came to the gate");
        }

        public void open() {
            open.countDown();
        }

        @Override
        public void close() {
            open();
        }

        private static void await(CountDownLatch latch, String failure) {
            try {
                if (!latch.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                    throw new IllegalStateException(failure);
                }
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException(interrupted);
            }
        }
    }
}
