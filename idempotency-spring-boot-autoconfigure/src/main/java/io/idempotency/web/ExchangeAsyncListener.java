package io.idempotency.web;

import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import java.io.IOException;

/**
 * A listener of the application. It is given the asynchronous processing of the exchange in place of that of the container,
 * so that what it writes when the time is over, and then completes, is sent too.
 */
final class ExchangeAsyncListener implements AsyncListener {

    private final AsyncListener listener;

    private final IdempotentExchange exchange;

    ExchangeAsyncListener(AsyncListener listener, IdempotentExchange exchange) {
        this.listener = listener;
        this.exchange = exchange;
    }

    @Override
    public void onTimeout(AsyncEvent event) throws IOException {
        exchange.atEnd().detach();
        listener.onTimeout(ofExchange(event));
    }

    @Override
    public void onError(AsyncEvent event) throws IOException {
        exchange.atEnd().detach();
        listener.onError(ofExchange(event));
    }

    @Override
    public void onStartAsync(AsyncEvent event) throws IOException {
        listener.onStartAsync(ofExchange(event));
    }

    @Override
    public void onComplete(AsyncEvent event) throws IOException {
        listener.onComplete(ofExchange(event));
    }

    private AsyncEvent ofExchange(AsyncEvent event) {
        return new AsyncEvent(
                new ExchangeAsyncContext(event.getAsyncContext(), exchange),
                event.getSuppliedRequest(),
                event.getSuppliedResponse(),
                event.getThrowable());
    }
}
