package io.idempotency.web;

import io.idempotency.core.Execution;
import io.idempotency.core.Fingerprint;
import io.idempotency.core.IdempotencyException;
import io.idempotency.core.OperationPolicy;
import io.idempotency.core.Outcome;
import io.idempotency.interceptor.FingerprintStrategy;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.web.context.request.async.WebAsyncUtils;
import org.springframework.web.util.WebUtils;

/**
 * One request and its response, over all dispatches. It is kept as an attribute of the request, so that every part of the
 * HTTP door finds it.
 */
final class IdempotentExchange {

    private static final String ATTRIBUTE = IdempotentExchange.class.getName();

    private final WebSettings settings;

    private final boolean safe;

    private final ObservedBody body;

    private final ExchangeRequest request;

    private final ExchangeResponse response;

    private HttpServletRequest handled;

    private boolean ignored;

    private boolean unprotected;

    private @Nullable HandlerTurn turn;

    private @Nullable HandlerTurn partTurn;

    private @Nullable RequestFingerprint fingerprint;

    private @Nullable IdempotencyException refusal;

    private final ExchangeEnd end;

    private IdempotentExchange(
            HttpServletRequest request,
            HttpServletResponse response,
            WebSettings settings,
            ResponseRedactor redactor,
            boolean safe) {
        this.settings = settings;
        this.safe = safe;
        this.body = new ObservedBody(settings.maxRequestSize());
        this.request = new ExchangeRequest(request, body);
        this.handled = this.request;
        this.response = new ExchangeResponse(response, settings.maxResponseSize());
        this.end = new ExchangeEnd(this.response, settings, redactor);
    }

    /**
     * Begins the exchange of a request.
     *
     * @param redactor asked what may be stored of the response
     */
    static IdempotentExchange begin(
            HttpServletRequest request, HttpServletResponse response, WebSettings settings, ResponseRedactor redactor) {
        return begin(request, new IdempotentExchange(request, response, settings, redactor, false));
    }

    /** Begins the exchange of a request that asks for nothing that could need protection. */
    static IdempotentExchange beginSafe(
            HttpServletRequest request, HttpServletResponse response, WebSettings settings) {
        return begin(request, new IdempotentExchange(request, response, settings, Optional::of, true));
    }

    private static IdempotentExchange begin(HttpServletRequest request, IdempotentExchange exchange) {
        request.setAttribute(ATTRIBUTE, exchange);
        return exchange;
    }

    static Optional<IdempotentExchange> of(ServletRequest request) {
        return Optional.ofNullable((IdempotentExchange) request.getAttribute(ATTRIBUTE));
    }

    ExchangeRequest request() {
        return request;
    }

    ExchangeResponse response() {
        return response;
    }

    /** Returns the request as the handler sees it, through the wrappers of all filters. */
    HttpServletRequest handled() {
        return handled;
    }

    /** Returns the response for a dispatch, whose own may wrap the one of this exchange already. */
    ServletResponse responseOf(ServletResponse dispatched) {
        return WebUtils.getNativeResponse(dispatched, ExchangeResponse.class) == response ? dispatched : response;
    }

    /** Notes that the request was mapped to a handler that is not protected. */
    void ignore() {
        if (turn == null) {
            ignored = true;
            request.ignore();
        }
    }

    /** Says whether a handler can be protected: the response of one that is included by somebody else is not its own. */
    boolean canProtect(HttpServletRequest dispatched) {
        return safe || turn != null || dispatched.getDispatcherType() != DispatcherType.INCLUDE;
    }

    /**
     * Protects the handler that the request was mapped to. The response is held back from now on, unless the return value of
     * the handler is what is recorded. The first handler claims; those that it dispatches the request to are parts of it.
     *
     * @param dispatched the request that the handler is given
     * @throws IllegalStateException if the exchange can no longer be protected; the message says why
     */
    void protect(MappedHandler mapped, HttpServletRequest dispatched) {
        if (turn != null) {
            // In the dispatch that renders a later result the handler is mapped once more, and not run.
            if (!WebAsyncUtils.getAsyncManager(dispatched).hasConcurrentResult()) {
                join(turn, mapped);
            }
            return;
        }
        if (ignored) {
            throw new IllegalStateException(
                    "A handler without @Idempotent dispatched the request to %s; annotate the handler that dispatches"
                            .formatted(mapped.handler()));
        }
        turn = new HandlerTurn(mapped);
        handled = dispatched;
        if (safe) {
            return;
        }
        if (response.isCommitted()) {
            throw new IllegalStateException("The response was committed before %s; a filter or interceptor wrote it"
                    .formatted(mapped.handler()));
        }
        FingerprintStrategy strategy = mapped.method().fingerprintStrategy().orElse(settings.fingerprint());
        if (mapped.method().fingerprint().isPresent() || strategy == FingerprintStrategy.NONE) {
            request.ignoreBody();
        } else {
            fingerprint = new RequestFingerprint(
                    handled, request, body, strategy, mapped.method().ignoredFields(), settings.maxRequestSize());
        }
        request.endWith(this);
        if (mapped.method().policy().transaction().isEmpty()) {
            end.hold();
        }
    }

    /** A handler with a key of its own is an ordinary call. */
    private void join(HandlerTurn first, MappedHandler mapped) {
        boolean sameKey = safe || first.handler().claimsFor(mapped);
        boolean running = safe
                || execution().isPresent()
                || (unprotected && !mapped.method().required());
        if (sameKey && running) {
            partTurn = new HandlerTurn(mapped);
        } else if (mapped.method().key().isEmpty()) {
            throw new IllegalStateException(
                    ("%s dispatched the request to %s, which its claim does not cover, since key, scope or policy are"
                                    + " others; call it as a bean, with a key expression, or remove its annotation")
                            .formatted(first.handler().handler(), mapped.handler()));
        }
    }

    /** Returns the turn that an invocation is, of a handler that the request was mapped to; empty for all others. */
    Optional<HandlerTurn> turnOf(MethodInvocation invocation) {
        return Stream.of(Optional.ofNullable(partTurn), Optional.ofNullable(turn))
                .flatMap(Optional::stream)
                .filter(each -> each.isOf(invocation))
                .findFirst();
    }

    /** Says whether a turn is that of a handler which the one that claims has dispatched the request to. */
    boolean isPart(HandlerTurn ofHandler) {
        return ofHandler == partTurn;
    }

    /** Says whether the request is one that needs no protection. */
    boolean isSafe() {
        return safe;
    }

    /** Takes the fingerprint of the request, where it is its content that is compared. */
    Fingerprint fingerprint() throws IOException, ServletException {
        return fingerprint == null ? Fingerprint.none() : fingerprint.take();
    }

    /** Lets the call run without protection. */
    void release() throws IOException {
        unprotected = true;
        response.release();
    }

    void refuse(IdempotencyException refusal) {
        this.refusal = refusal;
    }

    /** Returns why the handler did not run; empty where it was not refused. */
    Optional<IdempotencyException> refusal() {
        return Optional.ofNullable(refusal);
    }

    /** Chooses the recorded response. Whatever else is answered is discarded. */
    void replay(Outcome outcome) {
        end.replay(outcome);
    }

    /** Marks the response, which is rendered from a recorded value, as a replay. */
    void markReplayed() {
        HttpOutcome.mark(response);
    }

    boolean isReplay() {
        return end.isReplay();
    }

    /** Runs the handler. */
    @Nullable
    Object execute(Execution granted, OperationPolicy policy, MethodInvocation invocation) throws Throwable {
        String operation = Objects.requireNonNull(turn).handler().method().operation();
        return run(end.ofExecution(operation, granted, policy), invocation);
    }

    /** Runs the handler once more, as a part of the same execution: advice around it tries again. */
    @Nullable
    Object repeat(HandlerExecution begun, MethodInvocation invocation) throws Throwable {
        begun.startOver();
        return run(begun, invocation);
    }

    /** Runs a handler that the first one has dispatched the request to. */
    @Nullable
    Object executePart(MethodInvocation invocation) throws Throwable {
        return execution().isPresent() ? run(execution().get(), invocation) : invocation.proceed();
    }

    private @Nullable Object run(HandlerExecution begun, MethodInvocation invocation) throws Throwable {
        Object result = begun.run(invocation, handled);
        if (begun.isStreamed()) {
            response.release();
        }
        return result;
    }

    Optional<HandlerExecution> execution() {
        return end.execution();
    }

    /** Returns how this exchange ends. */
    ExchangeEnd atEnd() {
        return end;
    }

    /** Leaves the end of the exchange to another dispatch, or to the end of the response. */
    void continueLater(HttpServletRequest dispatched) {
        if (execution().isPresent()) {
            dispatched.getAsyncContext().addListener(new AsyncEnd(end));
        }
    }
}
