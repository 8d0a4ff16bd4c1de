package io.idempotency.web;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The request of an exchange. It observes the body while a filter, the argument binding or the handler reads it, from the
 * beginning, since a filter may read it before the handler is known. A request that turns out to be unprotected is handed
 * through.
 */
final class ExchangeRequest extends HttpServletRequestWrapper {

    private final ObservedBody body;

    private boolean ignored;

    private @Nullable IdempotentExchange exchange;

    private @Nullable AsyncContext asyncContext;

    private @Nullable ObservedInputStream stream;

    private @Nullable BufferedReader reader;

    ExchangeRequest(HttpServletRequest request, ObservedBody body) {
        super(request);
        this.body = body;
    }

    /** Stops observing: no fingerprint will be taken of this request. */
    void ignoreBody() {
        ignored = true;
        body.ignore();
    }

    /** Hands everything through from now on: the request is not protected. */
    void pass() {
        ignoreBody();
        exchange = null;
    }

    /**
     * Lets asynchronous processing that is started from now on end the exchange when it is completed, whether a filter
     * starts it before the handler is known or the handler does. It goes on with this request and its response.
     */
    void endWith(IdempotentExchange exchange) {
        this.exchange = exchange;
    }

    @Override
    public AsyncContext startAsync() {
        return exchange == null ? super.startAsync() : startAsync(this, exchange.response());
    }

    @Override
    public AsyncContext startAsync(ServletRequest request, ServletResponse response) {
        AsyncContext started = super.startAsync(request, response);
        if (exchange == null) {
            return started;
        }
        asyncContext = new ExchangeAsyncContext(started, exchange);
        return asyncContext;
    }

    @Override
    public AsyncContext getAsyncContext() {
        AsyncContext current = super.getAsyncContext();
        return asyncContext == null ? current : asyncContext;
    }

    /** Reads the rest of the body, until it is too large, and keeps it for those who read it later. */
    void drainBody() throws IOException {
        observed().drain();
    }

    @Override
    public ServletInputStream getInputStream() throws IOException {
        return ignored && stream == null ? super.getInputStream() : observed();
    }

    @Override
    public BufferedReader getReader() throws IOException {
        if (ignored && stream == null) {
            return super.getReader();
        }
        if (reader == null) {
            String charset = Objects.requireNonNullElse(getCharacterEncoding(), StandardCharsets.ISO_8859_1.name());
            reader = new BufferedReader(new InputStreamReader(observed(), charset));
        }
        return reader;
    }

    private ObservedInputStream observed() throws IOException {
        if (stream == null) {
            stream = new ObservedInputStream(super.getInputStream(), body);
        }
        return stream;
    }
}
