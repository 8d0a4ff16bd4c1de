package io.idempotency.web;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.springframework.web.filter.OncePerRequestFilter;
import org.springframework.web.servlet.HandlerMapping;

/**
 * Begins the exchange of every request that could be protected, and ends it: the response of a protected handler is
 * recorded before its first byte is sent, and a recorded one is sent in its place.
 *
 * <p>It must be mapped to REQUEST, FORWARD and ASYNC dispatches, after the filters of Spring Security. Requests with a
 * safe method, and those whose path leads to no protected handler, pass untouched.
 */
public final class IdempotencyFilter extends OncePerRequestFilter {

    /** After Spring Security's filters (-100), so that who is not let in never touches a key. */
    public static final int DEFAULT_ORDER = -90;

    /** The response header that tells the client that the response was recorded by an earlier request. */
    public static final String REPLAY_MARKER = "Idempotent-Replayed";

    /** RFC 9110, section 9.2.1. */
    private static final Set<String> SAFE_METHODS = Set.of("GET", "HEAD", "OPTIONS", "TRACE");

    private final WebSettings settings;

    private final ProtectedPaths paths;

    private final ResponseRedactor redactor;

    /**
     * Creates a filter for all handlers.
     *
     * @param paths tells which requests may be mapped to one of them
     * @param redactors asked in this order what may be stored of a response
     */
    public IdempotencyFilter(WebSettings settings, ProtectedPaths paths, List<? extends ResponseRedactor> redactors) {
        this.settings = settings;
        this.paths = paths;
        this.redactor = ResponseRedactor.inOrder(redactors);
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
    protected boolean shouldNotFilter(HttpServletRequest request) {
        Optional<IdempotentExchange> begun = IdempotentExchange.of(request);
        return begun.isPresent()
                ? begun.get().isSafe()
                : isSafe(request.getMethod()) || !paths.mayLeadToProtected(request);
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        Optional<IdempotentExchange> begun = IdempotentExchange.of(request);
        if (begun.isPresent()) {
            run(begun.get(), request, begun.get().responseOf(response), chain);
        } else {
            IdempotentExchange exchange = IdempotentExchange.begin(request, response, settings, redactor);
            if (request.getDispatcherType() != DispatcherType.REQUEST
                    && request.getAttribute(HandlerMapping.BEST_MATCHING_HANDLER_ATTRIBUTE) != null) {
                // A handler dispatches: it ran without protection, and whatever follows would not protect it. In the
                // first dispatch it is only a filter that has asked which handler there will be.
                exchange.ignore();
            }
            run(exchange, exchange.request(), exchange.responseOf(response), chain);
        }
    }

    private static void run(
            IdempotentExchange exchange, HttpServletRequest request, ServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        // It is completed by who has started it, past this exchange, so nothing may wait for that.
        boolean startedBefore = request.isAsyncStarted();
        boolean completed;
        exchange.atEnd().beginDispatch();
        try {
            chain.doFilter(request, response);
        } catch (Throwable thrown) {
            exchange.atEnd().byThrowable(thrown);
            throw thrown;
        } finally {
            completed = exchange.atEnd().endDispatch();
        }
        if (request.isAsyncStarted() && !startedBefore && !completed) {
            exchange.continueLater(request);
        } else {
            exchange.atEnd().byResponse();
        }
    }
}
