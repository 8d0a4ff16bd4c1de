package io.idempotency.web;

import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;

/** Tells an exchange that its response ends before the work does. */
final class AsyncEnd implements AsyncListener {

    private final IdempotentExchange exchange;

    AsyncEnd(IdempotentExchange exchange) {
        this.exchange = exchange;
    }

    @Override
    public void onTimeout(AsyncEvent event) {
        exchange.detach();
    }

    @Override
    public void onError(AsyncEvent event) {
        exchange.detach();
    }

    @Override
    public void onStartAsync(AsyncEvent event) {
        // The dispatch that starts again adds a listener again.
    }

    @Override
    public void onComplete(AsyncEvent event) {
        exchange.endedByContainer();
    }
}
