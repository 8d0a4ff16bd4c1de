package io.idempotency.web;

import io.idempotency.interceptor.IdempotentMethodSource;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.AsyncHandlerInterceptor;

/**
 * Protects the exchange of a request that was mapped to an annotated handler, whichever handler mapping found it. Meant
 * for a {@link org.springframework.web.servlet.handler.MappedInterceptor} of all paths.
 */
public final class HandlerActivation implements AsyncHandlerInterceptor {

    private final IdempotentMethodSource methods;

    private final WebSettings settings;

    private final ProtectedPaths paths;

    /**
     * Creates an interceptor for all handlers.
     *
     * @param methods tells which handlers are annotated
     * @param paths told of requests that were not seen to be meant for them
     */
    public HandlerActivation(IdempotentMethodSource methods, WebSettings settings, ProtectedPaths paths) {
        this.methods = methods;
        this.settings = settings;
        this.paths = paths;
    }

    @Override
    public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler)
            throws IOException {
        // An error page tells of a request that has ended, as it would without the annotation.
        Optional<IdempotentExchange> exchange = request.getDispatcherType() == DispatcherType.ERROR
                ? Optional.of(IdempotentExchange.beginSafe(request, response, settings))
                : IdempotentExchange.of(request);
        Optional<MappedHandler> mapped = mapped(handler);
        if (mapped.isEmpty()) {
            if (exchange.isPresent()) {
                exchange.get().pass();
            }
        } else if (exchange.isPresent() && exchange.get().canProtect(request)) {
            exchange.get().protect(mapped.get(), request);
        } else if (IdempotencyFilter.isSafe(request.getMethod())) {
            IdempotentExchange.beginSafe(request, response, settings).protect(mapped.get(), request);
        } else {
            return refuse(request, response, mapped.get().handler());
        }
        return true;
    }

    @Override
    public void afterCompletion(
            HttpServletRequest request, HttpServletResponse response, Object handler, @Nullable Exception failure) {
        IdempotentExchange.of(request).ifPresent(IdempotentExchange::leave);
    }

    /** Called in place of {@link #afterCompletion} where the handler answers later. */
    @Override
    public void afterConcurrentHandlingStarted(
            HttpServletRequest request, HttpServletResponse response, Object handler) {
        IdempotentExchange.of(request).ifPresent(IdempotentExchange::leave);
    }

    /** It is too late to protect the request, so it must not run. The next one of its kind is protected. */
    private boolean refuse(HttpServletRequest request, HttpServletResponse response, HandlerMethod handler)
            throws IOException {
        if (request.getDispatcherType() == DispatcherType.INCLUDE) {
            throw new IllegalStateException(
                    ("%s was included into the response of another, so that it could be neither refused nor recorded;"
                                    + " forward the request, or annotate the handler that includes it")
                            .formatted(handler));
        }
        if (!paths.expectMore(handler)) {
            throw new IllegalStateException(
                    "The IdempotencyFilter has not seen the request of %s; register it for all requests"
                            .formatted(handler));
        }
        response.setIntHeader(HttpHeaders.RETRY_AFTER, 1);
        response.sendError(HttpServletResponse.SC_SERVICE_UNAVAILABLE);
        return false;
    }

    private Optional<MappedHandler> mapped(Object handler) {
        if (!(handler instanceof HandlerMethod method)) {
            return Optional.empty();
        }
        return methods.find(method.getMethod(), method.getBeanType()).map(found -> new MappedHandler(method, found));
    }
}
