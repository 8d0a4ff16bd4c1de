package io.idempotency.web;

import java.util.List;
import java.util.Optional;

/**
 * Changes what is recorded of the responses of protected handlers, for example to keep a secret out of the store. The
 * request that was executed is answered as the handler says; those that are sent again are answered by what was recorded.
 *
 * <p>Beans of this type are asked in their order, each with what the one before it has left. They must be thread-safe. When
 * one throws, nothing of the response is recorded, as if it had forbidden it.
 *
 * <p>A handler whose return value is recorded, since it is transactional, has no response to be redacted.
 */
@FunctionalInterface
public interface ResponseRedactor {

    /**
     * Returns what is recorded; empty where nothing of the response may be: the operation has ended all the same, and
     * retries are told that its outcome is not available.
     */
    Optional<RecordableResponse> redact(RecordableResponse response);

    /** Asks one after the other. */
    static ResponseRedactor inOrder(List<? extends ResponseRedactor> redactors) {
        return response -> {
            Optional<RecordableResponse> left = Optional.of(response);
            for (ResponseRedactor redactor : redactors) {
                left = left.flatMap(redactor::redact);
            }
            return left;
        };
    }
}
