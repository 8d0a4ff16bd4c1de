package io.idempotency.web;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The asynchronous processing of an exchange. A handler or filter that started it by itself completes it without another
 * dispatch, so the exchange ends here.
 */
final class ExchangeAsyncContext implements AsyncContext {

    private static final Logger logger = LoggerFactory.getLogger(ExchangeAsyncContext.class);

    private final AsyncContext context;

    private final IdempotentExchange exchange;

    ExchangeAsyncContext(AsyncContext context, IdempotentExchange exchange) {
        this.context = context;
        this.exchange = exchange;
    }

    @Override
    public void complete() {
        try {
            exchange.atEnd().byCompletion();
        } catch (IOException unsent) {
            logger.debug("The response was recorded, but the client is gone", unsent);
        }
        context.complete();
    }

    @Override
    public ServletRequest getRequest() {
        return context.getRequest();
    }

    @Override
    public ServletResponse getResponse() {
        return context.getResponse();
    }

    @Override
    public boolean hasOriginalRequestAndResponse() {
        return context.hasOriginalRequestAndResponse();
    }

    @Override
    public void dispatch() {
        context.dispatch();
    }

    @Override
    public void dispatch(String path) {
        context.dispatch(path);
    }

    @Override
    public void dispatch(ServletContext target, String path) {
        context.dispatch(target, path);
    }

    @Override
    public void start(Runnable task) {
        context.start(task);
    }

    @Override
    public void addListener(AsyncListener listener) {
        context.addListener(new ExchangeAsyncListener(listener, exchange));
    }

    @Override
    public void addListener(AsyncListener listener, ServletRequest request, ServletResponse response) {
        context.addListener(new ExchangeAsyncListener(listener, exchange), request, response);
    }

    @Override
    public <T extends AsyncListener> T createListener(Class<T> type) throws ServletException {
        return context.createListener(type);
    }

    @Override
    public void setTimeout(long millis) {
        context.setTimeout(millis);
    }

    @Override
    public long getTimeout() {
        return context.getTimeout();
    }
}
