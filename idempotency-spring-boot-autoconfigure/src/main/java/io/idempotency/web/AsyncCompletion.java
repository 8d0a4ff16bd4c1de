package io.idempotency.web;

import java.util.concurrent.atomic.AtomicReference;

/**
 * Tells when asynchronous processing is over that was completed. As in a container, that is not before the end of a dispatch
 * that is running meanwhile: its handler may write more. Thread-safe.
 */
final class AsyncCompletion {

    private enum Phase {
        IDLE,

        DISPATCHING,

        /** The processing was completed while the dispatch runs. */
        COMPLETED
    }

    private final AtomicReference<Phase> phase = new AtomicReference<>(Phase.IDLE);

    void beginDispatch() {
        phase.set(Phase.DISPATCHING);
    }

    /** Returns whether the processing was completed meanwhile, so that it is over now. */
    boolean endDispatch() {
        return phase.getAndSet(Phase.IDLE) == Phase.COMPLETED;
    }

    /** Completes the processing, and returns whether it is over now. */
    boolean complete() {
        return phase.updateAndGet(before -> before == Phase.IDLE ? Phase.IDLE : Phase.COMPLETED) == Phase.IDLE;
    }
}
