package io.idempotency.web;

/** Takes the call past the handler once a replay is chosen; it is no error and carries nothing. */
final class ReplayException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    ReplayException() {
        super("The recorded response answers the request", null, false, false);
    }
}
