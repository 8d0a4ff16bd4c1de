package io.idempotency.web;

/**
 * Tells when asynchronous processing is over that was completed. As in a container, that is not before the end of a dispatch
 * that is running meanwhile: its handler may write more. Thread-safe.
 */
final class AsyncCompletion {

    private boolean dispatching;

    private boolean completed;

    synchronized void beginDispatch() {
        dispatching = true;
        completed = false;
    }

    /** Returns whether the processing was completed meanwhile, so that it is over now. */
    synchronized boolean endDispatch() {
        dispatching = false;
        return completed;
    }

    /** Completes the processing, and returns whether it is over now. */
    synchronized boolean complete() {
        completed = true;
        return !dispatching;
    }
}
