package io.idempotency.web;

import io.idempotency.core.Execution;
import io.idempotency.core.OperationPolicy;
import io.idempotency.core.Outcome;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * How an exchange ends: what becomes of its response is recorded before the first byte is sent, or a recorded response is
 * sent in its place. Whoever tells of the end first is heard: a dispatch, the handler itself, or the container.
 */
final class ExchangeEnd {

    private static final HttpOutcomeCodec CODEC = new HttpOutcomeCodec();

    private final ExchangeResponse response;

    private final WebSettings settings;

    private final ResponseRedactor redactor;

    private final AtomicBoolean told = new AtomicBoolean();

    private final AsyncCompletion completion = new AsyncCompletion();

    private String operation = "";

    private volatile @Nullable HandlerExecution execution;

    private @Nullable HttpOutcome replay;

    ExchangeEnd(ExchangeResponse response, WebSettings settings, ResponseRedactor redactor) {
        this.response = response;
        this.settings = settings;
        this.redactor = redactor;
    }

    /** Holds the response back until the end. */
    void hold() {
        response.hold(this::overflow);
    }

    /** Lets an execution of this operation, which begins now, end as its response does. */
    HandlerExecution ofExecution(String name, Execution granted, OperationPolicy policy) {
        HandlerExecution begun = new HandlerExecution(granted, policy);
        operation = name;
        execution = begun;
        return begun;
    }

    Optional<HandlerExecution> execution() {
        return Optional.ofNullable(execution);
    }

    /** Chooses the recorded response. Whatever else is answered is discarded. */
    void replay(Outcome outcome) {
        replay = CODEC.decode(outcome);
        response.discard();
    }

    boolean isReplay() {
        return replay != null;
    }

    boolean isTold() {
        return told.get();
    }

    void beginDispatch() {
        completion.beginDispatch();
    }

    /** Returns whether asynchronous processing was completed meanwhile, so that the exchange ends with the dispatch. */
    boolean endDispatch() {
        return completion.endDispatch();
    }

    /** Ends the exchange by its response, now that asynchronous processing is completed and no dispatch can write more. */
    void byCompletion() throws IOException {
        if (completion.complete()) {
            byResponse();
        }
    }

    /** Ends the exchange by its response. */
    void byResponse() throws IOException {
        if (!told.compareAndSet(false, true)) {
            return;
        }
        if (replay != null) {
            response.drop();
            replay.replay(response.wrapped());
            return;
        }
        execution().ifPresent(running -> running.answered(response.getStatus(), this::outcome));
        response.release();
    }

    private Outcome outcome() {
        HttpOutcome answer = response.outcome(new KeptHeaders(settings.keptHeaders()).of(response));
        return answer.redacted(operation, redactor)
                .map(CODEC::encode)
                .orElseGet(() -> Outcome.tombstone("its response must not be stored"));
    }

    /** Ends the exchange by a throwable that nobody has made a response of: the container will. */
    void byThrowable(Throwable thrown) {
        if (!told.compareAndSet(false, true)) {
            return;
        }
        response.drop();
        execution().ifPresent(running -> running.leftBy(thrown));
    }

    /** Notes that the response ends before the work does. */
    void detach() {
        execution().ifPresent(HandlerExecution::detach);
    }

    /** Ends the exchange if nobody has done so: the container has ended the response by itself. */
    void byContainer() {
        if (told.compareAndSet(false, true)) {
            execution().ifPresent(HandlerExecution::follow);
        }
    }

    private void overflow() {
        String reason = "the response has more than %d bytes".formatted(settings.maxResponseSize());
        execution().ifPresent(running -> running.answered(response.getStatus(), () -> Outcome.tombstone(reason)));
    }
}
