package io.idempotency.web;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What is to be recorded of the response of a protected handler.
 *
 * @param operation the name of the operation
 * @param status the status
 * @param headers the kept headers, each with its values in their order
 * @param text the message of {@code sendError} or the location of a redirect; empty for any other response
 * @param body the bytes of the body; not copied, so neither side may change them
 */
@SuppressWarnings("ArrayRecordComponent") // responses are carried, not compared
public record RecordableResponse(
        String operation, int status, Map<String, List<String>> headers, String text, byte[] body) {

    /** Returns this response with other headers. */
    public RecordableResponse withHeaders(Map<String, List<String>> newHeaders) {
        return new RecordableResponse(operation, status, newHeaders, text, body);
    }

    /** Returns this response without a header, whose name is compared without regard to case. */
    public RecordableResponse withoutHeader(String name) {
        Map<String, List<String>> others = new LinkedHashMap<>(headers);
        others.keySet().removeIf(name::equalsIgnoreCase);
        return withHeaders(others);
    }

    /** Returns this response with another message or location. */
    public RecordableResponse withText(String newText) {
        return new RecordableResponse(operation, status, headers, newText, body);
    }

    /** Returns this response with another body. */
    public RecordableResponse withBody(byte[] newBody) {
        return new RecordableResponse(operation, status, headers, text, newBody);
    }
}
