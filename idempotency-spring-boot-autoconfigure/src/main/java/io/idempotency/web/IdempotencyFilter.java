package io.idempotency.web;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Optional;
import java.util.Set;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Begins the exchange of every request that could be protected, and ends it: the response of a protected handler is
 * recorded before its first byte is sent, and a recorded one is sent in its place.
 *
 * <p>It must be mapped to REQUEST and ASYNC dispatches, after the filters of Spring Security. Requests with a safe method,
 * and those that are mapped to a handler without the annotation, pass.
 */
public final class IdempotencyFilter extends OncePerRequestFilter {

    /** After Spring Security's filters (-100), so that who is not let in never touches a key. */
    public static final int DEFAULT_ORDER = -90;

    /** The response header that tells the client that the response was recorded by an earlier request. */
    public static final String REPLAY_MARKER = "Idempotent-Replayed";

    /** RFC 9110, section 9.2.1. */
    private static final Set<String> SAFE_METHODS = Set.of("GET", "HEAD", "OPTIONS", "TRACE");

    private final WebSettings settings;

    /** Creates a filter for all handlers. */
    public IdempotencyFilter(WebSettings settings) {
        this.settings = settings;
    }

    /** Says whether requests with this method ask for nothing that could need protection. */
    public static boolean isSafe(String method) {
        return SAFE_METHODS.contains(method);
    }

    @Override
    protected boolean shouldNotFilterAsyncDispatch() {
        return false;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        Optional<IdempotentExchange> begun = IdempotentExchange.of(request);
        if (begun.isPresent()) {
            run(begun.get(), request, begun.get().responseOf(response), chain);
        } else if (isSafe(request.getMethod())) {
            chain.doFilter(request, response);
        } else {
            IdempotentExchange exchange = IdempotentExchange.begin(request, response, settings, false);
            run(exchange, exchange.request(), exchange.responseOf(response), chain);
        }
    }

    private static void run(
            IdempotentExchange exchange, HttpServletRequest request, ServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        try {
            chain.doFilter(request, response);
        } catch (Throwable thrown) {
            exchange.leftBy(thrown);
            throw thrown;
        }
        if (request.isAsyncStarted()) {
            exchange.continueLater(request);
        } else {
            exchange.end();
        }
    }
}
