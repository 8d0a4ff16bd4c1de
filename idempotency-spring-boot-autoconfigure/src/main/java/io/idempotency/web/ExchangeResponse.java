package io.idempotency.web;

import io.idempotency.web.HttpOutcome.Ending;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.web.util.WebUtils;

/**
 * The response of an exchange. Where it holds the response back, the body, an error and a redirect stay in memory; else it
 * hands everything through. Status and headers are those of the wrapped response, which is not committed so long.
 *
 * <p>Until it is known whether it holds back, it keeps the body that filters write, and gives out streams and writers that
 * are good for either: a filter may take one, or write the first bytes, before it asks for the rest.
 */
final class ExchangeResponse extends SelectiveHeadersResponse {

    private enum Phase {

        /** It is not known yet whether the response will be held back. */
        WAITING,

        /** Everything goes to the wrapped response. */
        PASSING,

        /** The response is held back. */
        HOLDING,

        /** Another response will be sent in place of this one. */
        DISCARDING
    }

    private final HeldAnswer held;

    private Phase phase = Phase.WAITING;

    private Runnable beforeOverflow = () -> {};

    private final HttpServletResponse original;

    private final HeldOutput output = new HeldOutput(this);

    /**
     * @param maxBodySize the largest body that is held back, in bytes
     * @param keptHeaders the names of the headers that are recorded
     */
    ExchangeResponse(HttpServletResponse response, int maxBodySize, List<String> keptHeaders) {
        super(response, keptHeaders);
        this.original = response;
        this.held = new HeldAnswer(maxBodySize);
    }

    /**
     * Holds the response back from now on.
     *
     * @param beforeOverflow called once, before the first byte is sent of a body that is too large
     */
    void hold(Runnable beforeOverflow) {
        this.beforeOverflow = beforeOverflow;
        phase = Phase.HOLDING;
        setResponse(OpaqueResponse.of(original));
    }

    /** Hands everything through, if it does not hold the response back. */
    void pass() throws IOException {
        if (phase == Phase.WAITING) {
            output.handOver();
            phase = Phase.PASSING;
            if (held.hasBody()) {
                held.moveBodyTo(super.getOutputStream());
            }
        }
    }

    /** Ignores what is answered from now on, and what is held. */
    void discard() {
        held.clear();
        phase = Phase.DISCARDING;
        ignoreHeaders();
    }

    /**
     * Sends what is held, and hands everything through from now on. A container that could not read the request has already
     * answered it by itself, and takes no other answer.
     */
    void release() throws IOException {
        pass();
        if (phase == Phase.HOLDING) {
            HttpOutcome answer = outcome(Map.of());
            drop();
            if (!original.isCommitted()) {
                answer.send(original);
            }
        }
    }

    /** Drops what is held: the container answers. */
    void drop() {
        held.clear();
        phase = Phase.PASSING;
    }

    /** Returns the response of the container, or of the filter before, which takes what is sent at the end. */
    HttpServletResponse wrapped() {
        return original;
    }

    HttpOutcome outcome(Map<String, List<String>> headers) {
        handOver();
        return held.outcome(super.getStatus(), headers);
    }

    /** Has the text that was written among what is held. */
    private void handOver() {
        try {
            output.handOver();
        } catch (IOException gone) {
            // It was too much to be held, and the client does not take it. A writer does not tell that either.
            held.close();
        }
    }

    void write(byte[] bytes, int offset, int count) throws IOException {
        boolean keeps = phase == Phase.WAITING || phase == Phase.HOLDING;
        if (keeps && !held.accepts(bytes, offset, count)) {
            overflow();
        }
        if (phase == Phase.PASSING) {
            super.getOutputStream().write(bytes, offset, count);
        }
    }

    private void overflow() throws IOException {
        beforeOverflow.run();
        phase = Phase.PASSING;
        if (held.declaredLength() >= 0) {
            super.setContentLengthLong(held.declaredLength());
        }
        held.moveBodyTo(super.getOutputStream());
    }

    void closeBody() throws IOException {
        pass();
        if (phase == Phase.PASSING) {
            super.getOutputStream().close();
        } else {
            held.close();
        }
    }

    /** Returns the stream of the wrapped response, where everything is handed through from now on. */
    Optional<ServletOutputStream> passing() throws IOException {
        pass();
        return phase == Phase.PASSING ? Optional.of(super.getOutputStream()) : Optional.empty();
    }

    boolean isPassing() {
        return phase == Phase.PASSING;
    }

    @Override
    public ServletOutputStream getOutputStream() throws IOException {
        requireUnused(output.hasWriter(), "getWriter()");
        return output.hasStream() || phase != Phase.PASSING ? output.stream() : super.getOutputStream();
    }

    @Override
    public PrintWriter getWriter() throws IOException {
        requireUnused(output.hasStream(), "getOutputStream()");
        if (phase == Phase.PASSING && !output.hasWriter()) {
            return super.getWriter();
        }
        if (!output.hasWriter()) {
            String encoding = Objects.requireNonNullElse(getCharacterEncoding(), WebUtils.DEFAULT_CHARACTER_ENCODING);
            // As containers do it: from now on the content type names the encoding that is written.
            setCharacterEncoding(encoding);
            return output.writer(encoding);
        }
        return output.writer(output.encoding());
    }

    /** What is ignored may be written in any way. */
    private void requireUnused(boolean used, String other) {
        if (used && phase != Phase.DISCARDING && !held.isClosed()) {
            throw new IllegalStateException(other + " has already been called for this response");
        }
    }

    @Override
    public void setCharacterEncoding(@Nullable String encoding) {
        if (!isIgnoringHeaders() && !output.hasWriter()) {
            own(HttpHeaders.CONTENT_TYPE);
            super.setCharacterEncoding(encoding);
        }
    }

    @Override
    public void setContentType(@Nullable String type) {
        if (isIgnoringHeaders()) {
            return;
        }
        own(HttpHeaders.CONTENT_TYPE);
        super.setContentType(type);
        if (output.hasWriter()) {
            // A writer keeps its encoding, whatever the content type says later.
            super.setCharacterEncoding(output.encoding());
        }
    }

    @Override
    public void flushBuffer() throws IOException {
        pass();
        if (phase == Phase.PASSING) {
            super.flushBuffer();
        }
    }

    @Override
    public boolean isCommitted() {
        return holds() ? held.isEnded() : super.isCommitted();
    }

    @Override
    public void resetBuffer() {
        if (!holds()) {
            super.resetBuffer();
        }
        if (phase != Phase.PASSING) {
            held.requireNotEnded();
            handOver();
            held.clearBody();
        }
    }

    @Override
    public void reset() {
        if (phase == Phase.DISCARDING) {
            return;
        }
        if (phase != Phase.PASSING) {
            held.requireNotEnded();
            held.clear();
        }
        super.reset();
        output.reset();
    }

    @Override
    public int getStatus() {
        return held.status(super.getStatus());
    }

    @Override
    public void setStatus(int status) {
        if (phase != Phase.DISCARDING && !held.isEnded()) {
            super.setStatus(status);
        }
    }

    /** What is below 200 ends no response: Jetty takes early hints and other informational responses in this way. */
    @Override
    boolean keepsError(int status, String message) {
        if (status < SC_OK) {
            return phase == Phase.DISCARDING;
        }
        dropWaiting();
        end(Ending.ERROR, status, message, true);
        return holds();
    }

    @Override
    public void sendRedirect(String location, int status, boolean clearBuffer) throws IOException {
        if (!holds()) {
            if (clearBuffer) {
                dropWaiting();
            } else {
                pass();
            }
            super.sendRedirect(location, status, clearBuffer);
        } else {
            end(Ending.REDIRECT, status, location, clearBuffer);
        }
    }

    /** As containers do it, the answer takes the place of what was written. */
    private void dropWaiting() {
        if (phase == Phase.WAITING) {
            drop();
        }
    }

    /** Says whether what is answered stays here. */
    private boolean holds() {
        return phase == Phase.HOLDING || phase == Phase.DISCARDING;
    }

    private void end(Ending ending, int status, String text, boolean clearBody) {
        if (phase == Phase.HOLDING) {
            handOver();
            held.end(ending, status, text, clearBody);
        }
    }

    /** The length of a held body is known when it is sent. */
    @Override
    boolean keepsLength(long length) {
        if (holds()) {
            held.declareLength(length);
        }
        return holds();
    }
}
