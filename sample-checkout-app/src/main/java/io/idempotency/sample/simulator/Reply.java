package io.idempotency.sample.simulator;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Map;

/**
 * The reply of a simulated system.
 *
 * @param body what becomes its JSON
 */
record Reply(int status, Object body) {

    /** The connection is closed without a word: the caller cannot know whether anything happened. */
    static final Reply LOST = new Reply(0, "");

    boolean isLost() {
        return status == LOST.status;
    }

    static Reply ok(Object body) {
        return new Reply(200, body);
    }

    static Reply refused(int status, String reason) {
        return refused(status, reason, Map.of());
    }

    /** Refuses a request with what is wrong with each of its fields. */
    static Reply refused(int status, String reason, Map<String, String> errors) {
        return new Reply(status, new Problem(status, reason, errors));
    }

    String mediaType() {
        return body instanceof Problem ? "application/problem+json" : "application/json";
    }

    /** Why a request was refused, as RFC 9457 writes it. */
    record Problem(
            int status,
            String detail,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, String> errors) {}
}
