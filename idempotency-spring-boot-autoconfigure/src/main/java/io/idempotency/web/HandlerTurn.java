package io.idempotency.web;

import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/**
 * Tells which invocations are those that a request was mapped to: the first one of its handler, and then each that comes
 * after its end on the same thread, since advice around the handler tries again. One that comes while it runs, or from
 * another thread, is a call of something that the handler does.
 */
final class HandlerTurn {

    private final MappedHandler handler;

    private volatile boolean running;

    private volatile @Nullable Thread thread;

    HandlerTurn(MappedHandler handler) {
        this.handler = handler;
    }

    MappedHandler handler() {
        return handler;
    }

    boolean isOf(MethodInvocation invocation) {
        return !running && (thread == null || thread == Thread.currentThread()) && handler.isInvokedBy(invocation);
    }

    void begin() {
        thread = Thread.currentThread();
        running = true;
    }

    void end() {
        running = false;
    }
}
