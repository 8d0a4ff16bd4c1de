package io.idempotency.web;

import io.idempotency.core.IdempotencyException;

/** The body of a request is larger than what a fingerprint is taken of. Nothing ran and no store was asked. */
public final class RequestTooLargeException extends IdempotencyException {

    private static final long serialVersionUID = 1L;

    RequestTooLargeException(int maxRequestSize) {
        super(
                null,
                "The body of the request has more than %d bytes (idempotency.web.max-request-size)"
                        .formatted(maxRequestSize),
                null);
    }
}
