package io.idempotency.web;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.http.HttpHeaders;

/**
 * A response as it is recorded and replayed.
 *
 * @param ending how the response was ended
 * @param status the status
 * @param headers the kept headers, each with its values in their order
 * @param text the message of an error, empty where it has none; the location of a redirect; empty for a body
 * @param body the bytes of the body; not copied, so neither side may change them
 */
@SuppressWarnings("ArrayRecordComponent") // responses are carried, not compared
record HttpOutcome(Ending ending, int status, Map<String, List<String>> headers, String text, byte[] body) {

    /** How a response was ended. The codes are part of the stored layout and never change their meaning. */
    enum Ending {

        /** The body was written. */
        BODY('B'),

        /** By {@code sendError}: the body is the error page, which is rendered again for every replay. */
        ERROR('E'),

        /** By {@code sendRedirect}. */
        REDIRECT('R');

        final char code;

        Ending(char code) {
            this.code = code;
        }
    }

    /** Returns what may be stored of this response; empty where nothing may. */
    Optional<HttpOutcome> redacted(String operation, ResponseRedactor redactor) {
        return redactor.redact(new RecordableResponse(operation, status, headers, text, body))
                .map(left -> new HttpOutcome(ending, status, withValues(left.headers()), left.text(), left.body()));
    }

    private static Map<String, List<String>> withValues(Map<String, List<String>> headers) {
        if (!headers.containsValue(List.of())) {
            return headers;
        }
        Map<String, List<String>> left = new LinkedHashMap<>(headers);
        left.values().removeIf(List::isEmpty);
        return left;
    }

    /** Answers a request with this response. */
    void replay(HttpServletResponse response) throws IOException {
        response.setStatus(status);
        headers.forEach((name, values) -> writeHeader(response, name, values));
        mark(response);
        send(response);
    }

    /** Marks a response as a replay, for clients of other origins too. */
    static void mark(HttpServletResponse response) {
        response.setHeader(IdempotencyFilter.REPLAY_MARKER, "true");
        if (response.containsHeader(HttpHeaders.ACCESS_CONTROL_ALLOW_ORIGIN)) {
            response.addHeader(HttpHeaders.ACCESS_CONTROL_EXPOSE_HEADERS, IdempotencyFilter.REPLAY_MARKER);
        }
    }

    private static void writeHeader(HttpServletResponse response, String name, List<String> values) {
        if (name.equalsIgnoreCase(HttpHeaders.CONTENT_TYPE)) {
            response.setContentType(values.get(0));
            return;
        }
        response.setHeader(name, values.get(0));
        values.subList(1, values.size()).forEach(value -> response.addHeader(name, value));
    }

    /** Ends the response; status and headers are set already. */
    void send(HttpServletResponse response) throws IOException {
        switch (ending) {
            case ERROR -> sendError(response);
            case REDIRECT -> sendRedirect(response);
            case BODY -> writeBody(response);
        }
    }

    private void sendError(HttpServletResponse response) throws IOException {
        if (text.isEmpty()) {
            response.sendError(status);
        } else {
            response.sendError(status, text);
        }
    }

    private void sendRedirect(HttpServletResponse response) throws IOException {
        if (status == HttpServletResponse.SC_FOUND && body.length == 0) {
            // Wrappers that make the location one of the outer world know this method only.
            response.sendRedirect(text);
        } else if (body.length == 0) {
            response.sendRedirect(text, status, false);
        } else {
            // A container takes no body after a redirect, and no redirect after a body that is larger than its buffer.
            response.setStatus(status);
            response.setHeader(HttpHeaders.LOCATION, text);
            writeBody(response);
        }
    }

    private void writeBody(HttpServletResponse response) throws IOException {
        if (body.length > 0) {
            response.setContentLength(body.length);
            response.getOutputStream().write(body);
        }
    }
}
