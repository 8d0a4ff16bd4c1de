package io.idempotency.web;

import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;

/** Tells an exchange that its response ends before the work does. */
final class AsyncEnd implements AsyncListener {

    private final ExchangeEnd end;

    AsyncEnd(ExchangeEnd end) {
        this.end = end;
    }

    @Override
    public void onTimeout(AsyncEvent event) {
        end.detach();
    }

    @Override
    public void onError(AsyncEvent event) {
        end.detach();
    }

    @Override
    public void onStartAsync(AsyncEvent event) {
        // The dispatch that starts again adds a listener again.
    }

    @Override
    public void onComplete(AsyncEvent event) {
        end.byContainer();
    }
}
