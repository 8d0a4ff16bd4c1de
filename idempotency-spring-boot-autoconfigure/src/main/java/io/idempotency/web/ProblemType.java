package io.idempotency.web;

import java.net.URI;
import org.springframework.http.HttpStatus;

/** The kinds of problems that a client is told of. Their names stay the same; {@code docs/http.md} lists them. */
public enum ProblemType {
    KEY_MISSING(HttpStatus.BAD_REQUEST, "key-missing", "Idempotency key missing"),
    KEY_MALFORMED(HttpStatus.BAD_REQUEST, "key-malformed", "Idempotency key malformed"),
    IN_PROGRESS(HttpStatus.CONFLICT, "in-progress", "Operation in progress"),
    IN_DOUBT(HttpStatus.CONFLICT, "in-doubt", "Outcome in doubt"),
    OUTCOME_UNAVAILABLE(HttpStatus.CONFLICT, "outcome-unavailable", "Outcome unavailable"),
    REQUEST_TOO_LARGE(HttpStatus.CONTENT_TOO_LARGE, "request-too-large", "Request too large"),
    KEY_REUSED(HttpStatus.UNPROCESSABLE_CONTENT, "key-reused", "Idempotency key reused"),
    RECORDED_FAILURE(HttpStatus.INTERNAL_SERVER_ERROR, "recorded-failure", "Earlier failure"),
    STEP_CONFLICT(HttpStatus.INTERNAL_SERVER_ERROR, "step-conflict", "Cannot be continued"),
    STORE_UNAVAILABLE(HttpStatus.SERVICE_UNAVAILABLE, "store-unavailable", "Try again later");

    private final HttpStatus status;

    private final URI uri;

    private final String title;

    ProblemType(HttpStatus status, String name, String title) {
        this.status = status;
        this.uri = URI.create(IdempotencyProblems.TYPE_PREFIX + name);
        this.title = title;
    }

    /** Returns the status of the response. */
    public HttpStatus status() {
        return status;
    }

    /** Returns what identifies this kind of problem to a client. */
    public URI uri() {
        return uri;
    }

    /** Returns the title where the application has no message of its own for it. */
    public String title() {
        return title;
    }
}
