package io.idempotency.web;

import io.idempotency.core.Execution;
import io.idempotency.core.Fingerprint;
import io.idempotency.core.IdempotencyException;
import io.idempotency.core.IdempotencyRequest;
import io.idempotency.core.OperationPolicy;
import io.idempotency.core.Outcome;
import io.idempotency.interceptor.FingerprintStrategy;
import io.idempotency.interceptor.IdempotentMethod;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Objects;
import java.util.Optional;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.web.context.request.async.WebAsyncManager;
import org.springframework.web.context.request.async.WebAsyncUtils;
import org.springframework.web.util.WebUtils;

/**
 * One request and its response, over all dispatches. It is kept as an attribute of the request, so that every part of the
 * HTTP door finds it.
 */
final class IdempotentExchange {

    private static final String ATTRIBUTE = IdempotentExchange.class.getName();

    /** What the annotations of the handlers mean for this request. */
    private enum Protection {

        /** The request was mapped to no handler yet. */
        UNDECIDED,

        /** Nothing: the request changes nothing, or only asks for the page that tells of an error. */
        NOT_NEEDED,

        /** The first handler has no annotation, so that no other one can be protected. */
        MISSING,

        /** The first handler claims; those that it dispatches the request to are parts of it. */
        BY_CLAIM,

        /** The first handler runs without a claim: the request has no key, and it requires none. */
        WITHOUT_KEY
    }

    private final WebSettings settings;

    private final ObservedBody body;

    private final ExchangeRequest request;

    private final ExchangeResponse response;

    private HttpServletRequest handled;

    private Protection protection;

    private @Nullable HandlerTurn first;

    private final HandlerTurns turns = new HandlerTurns();

    private @Nullable RequestFingerprint fingerprint;

    private @Nullable IdempotencyRequest asked;

    private @Nullable IdempotencyException refusal;

    private final ExchangeEnd end;

    private IdempotentExchange(
            HttpServletRequest request,
            HttpServletResponse response,
            WebSettings settings,
            ResponseRedactor redactor,
            Protection protection) {
        this.settings = settings;
        this.protection = protection;
        this.body = new ObservedBody(settings.maxRequestSize());
        this.request = new ExchangeRequest(request, body);
        this.handled = this.request;
        this.response = new ExchangeResponse(response, settings.maxResponseSize(), settings.keptHeaders());
        this.end = new ExchangeEnd(this.response, settings, redactor);
    }

    /**
     * Begins the exchange of a request.
     *
     * @param redactor asked what may be stored of the response
     */
    static IdempotentExchange begin(
            HttpServletRequest request, HttpServletResponse response, WebSettings settings, ResponseRedactor redactor) {
        IdempotentExchange begun = new IdempotentExchange(request, response, settings, redactor, Protection.UNDECIDED);
        begun.request.endWith(begun);
        return begin(request, begun);
    }

    /** Begins the exchange of a request that asks for nothing that could need protection. */
    static IdempotentExchange beginSafe(
            HttpServletRequest request, HttpServletResponse response, WebSettings settings) {
        return begin(request, new IdempotentExchange(request, response, settings, Optional::of, Protection.NOT_NEEDED));
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

    /** Notes that a handler without the annotation has the request, so that it is too late to protect it. */
    void ignore() throws IOException {
        if (protection == Protection.UNDECIDED) {
            protection = Protection.MISSING;
            response.pass();
            request.pass();
        }
    }

    /** Notes that the request was mapped to a handler that is not annotated. */
    void pass() throws IOException {
        ignore();
        turns.enterOther();
    }

    /** Notes that the dispatch to the handler is over which the request was mapped to last. */
    void leave() {
        turns.leave();
        response.takeHeaders();
    }

    /** Says whether a handler can be protected: the response of one that is included by somebody else is not its own. */
    boolean canProtect(HttpServletRequest dispatched) {
        return switch (protection) {
            case NOT_NEEDED, BY_CLAIM, WITHOUT_KEY -> true;
            case UNDECIDED, MISSING -> dispatched.getDispatcherType() != DispatcherType.INCLUDE;
        };
    }

    /**
     * Protects the handler that the request was mapped to. The response is held back from now on, unless the return value of
     * the handler is what is recorded. The first handler claims; those that it dispatches the request to are parts of it.
     *
     * @param dispatched the request that the handler is given
     * @throws IllegalStateException if the exchange can no longer be protected; the message says why
     */
    void protect(MappedHandler mapped, HttpServletRequest dispatched) throws IOException {
        switch (protection) {
            case NOT_NEEDED -> turns.enter(new HandlerTurn(mapped));
            case UNDECIDED -> protectFirst(mapped, dispatched);
            case BY_CLAIM, WITHOUT_KEY -> join(Objects.requireNonNull(first), mapped, dispatched);
            case MISSING ->
                throw new IllegalStateException(
                        "A handler without @Idempotent dispatched the request to %s; annotate the handler that dispatches"
                                .formatted(mapped.handler()));
        }
    }

    private void protectFirst(MappedHandler mapped, HttpServletRequest dispatched) throws IOException {
        if (response.isCommitted()) {
            throw new IllegalStateException("The response was committed before %s; a filter or interceptor wrote it"
                    .formatted(mapped.handler()));
        }
        HandlerTurn turn = new HandlerTurn(mapped);
        first = turn;
        turns.enter(turn);
        protection = Protection.BY_CLAIM;
        handled = dispatched;
        FingerprintStrategy strategy = mapped.method().fingerprintStrategy().orElse(settings.fingerprint());
        if (mapped.method().fingerprint().isPresent() || strategy == FingerprintStrategy.NONE) {
            request.ignoreBody();
        } else {
            fingerprint = new RequestFingerprint(
                    handled, request, body, strategy, mapped.method().ignoredFields(), settings.maxRequestSize());
        }
        if (mapped.method().policy().transaction().isEmpty()) {
            end.hold();
        } else {
            response.pass();
        }
    }

    private void join(HandlerTurn claiming, MappedHandler mapped, HttpServletRequest dispatched) {
        WebAsyncManager later = WebAsyncUtils.getAsyncManager(dispatched);
        boolean ofResult = later.hasConcurrentResult();
        Optional<String> obstacle =
                ofResult ? Optional.empty() : obstacle(claiming.handler().method(), mapped.method());
        if (obstacle.isPresent()) {
            throw new IllegalStateException("%s dispatched the request to %s, which cannot be a part of it: %s"
                    .formatted(claiming.handler().handler(), mapped.handler(), obstacle.get()));
        }
        if (ofResult) {
            execution().ifPresent(begun -> begun.cameTo(later.getConcurrentResult()));
        }
        if (ofResult || mapped.method().key().isPresent()) {
            // The dispatch of a later result maps the handler once more and does not run it.
            turns.enterOther();
        } else {
            turns.enter(new HandlerTurn(mapped));
        }
    }

    private Optional<String> obstacle(IdempotentMethod claiming, IdempotentMethod part) {
        return new PartObstacles(settings.fingerprint())
                .between(claiming, part)
                .or(() -> part.key().isPresent() ? Optional.empty() : obstacle(part.required()));
    }

    private Optional<String> obstacle(boolean requiresKey) {
        if (protection == Protection.WITHOUT_KEY) {
            return requiresKey
                    ? Optional.of("the request has no key, and the second requires one; let the first require it too")
                    : Optional.empty();
        }
        return execution().isPresent() && !end.isTold()
                ? Optional.empty()
                : Optional.of("the first was not let in or has ended, so that there is no claim; answer by what is not"
                        + " annotated");
    }

    /** Returns the turn that an invocation is, of a handler that the request was mapped to; empty for all others. */
    Optional<HandlerTurn> turnOf(MethodInvocation invocation) {
        return turns.of(invocation);
    }

    /** Says whether a turn is that of a handler which the one that claims has dispatched the request to. */
    boolean isPart(HandlerTurn turn) {
        return turn != first;
    }

    /** Says whether the request is one that needs no protection. */
    boolean isSafe() {
        return protection == Protection.NOT_NEEDED;
    }

    /** Notes what the engine is asked for. */
    void ask(IdempotencyRequest request) {
        asked = request;
    }

    /**
     * Returns what the engine was asked for; empty before. Whoever tries again asks for the same: the body is no longer
     * known, and the handler may have changed its arguments.
     */
    Optional<IdempotencyRequest> asked() {
        return Optional.ofNullable(asked);
    }

    /** Takes the fingerprint of the request, once, where it is its content that is compared. */
    Fingerprint fingerprint() throws IOException, ServletException {
        return fingerprint == null ? Fingerprint.none() : fingerprint.take();
    }

    /** Lets the call run without protection. */
    void release() throws IOException {
        protection = Protection.WITHOUT_KEY;
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
        String operation = Objects.requireNonNull(first).handler().method().operation();
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
