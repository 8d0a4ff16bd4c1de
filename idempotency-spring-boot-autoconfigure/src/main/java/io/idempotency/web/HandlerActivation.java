package io.idempotency.web;

import io.idempotency.interceptor.IdempotentMethodSource;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Optional;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerInterceptor;

/**
 * Protects the exchange of a request that was mapped to an annotated handler, whichever handler mapping found it. Meant
 * for a {@link org.springframework.web.servlet.handler.MappedInterceptor} of all paths.
 */
public final class HandlerActivation implements HandlerInterceptor {

    private final IdempotentMethodSource methods;

    private final WebSettings settings;

    /**
     * Creates an interceptor for all handlers.
     *
     * @param methods tells which handlers are annotated
     */
    public HandlerActivation(IdempotentMethodSource methods, WebSettings settings) {
        this.methods = methods;
        this.settings = settings;
    }

    @Override
    public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler) {
        Optional<IdempotentExchange> exchange = IdempotentExchange.of(request);
        Optional<MappedHandler> mapped = mapped(handler);
        if (mapped.isEmpty()) {
            exchange.ifPresent(IdempotentExchange::ignore);
        } else {
            exchange.orElseGet(() -> beginSafe(request, response, handler)).protect(mapped.get(), request);
        }
        return true;
    }

    private Optional<MappedHandler> mapped(Object handler) {
        if (!(handler instanceof HandlerMethod method)) {
            return Optional.empty();
        }
        return methods.find(method.getMethod(), method.getBeanType()).map(found -> new MappedHandler(method, found));
    }

    private IdempotentExchange beginSafe(HttpServletRequest request, HttpServletResponse response, Object handler) {
        if (IdempotencyFilter.isSafe(request.getMethod())) {
            return IdempotentExchange.begin(request, response, settings, true);
        }
        throw new IllegalStateException(
                "The IdempotencyFilter has not seen the request of %s; register it for all requests"
                        .formatted(handler));
    }
}
