package io.idempotency.web;

import io.idempotency.web.HttpOutcome.Ending;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.web.util.WebUtils;

/**
 * The response of an exchange. It hands everything through until it holds the response back: then the body, an error and
 * a redirect stay in memory. Status and headers are those of the wrapped response, which is not committed so long.
 */
final class ExchangeResponse extends HttpServletResponseWrapper {

    private enum Phase {

        /** Everything goes to the wrapped response. */
        PASSING,

        /** The response is held back. */
        HOLDING,

        /** Another response will be sent in place of this one. */
        DISCARDING
    }

    private final HeldAnswer held;

    private Phase phase = Phase.PASSING;

    private Runnable beforeOverflow = () -> {};

    private final HttpServletResponse original;

    private final HeldOutput output = new HeldOutput(this);

    /**
     * @param maxBodySize the largest body that is held back, in bytes
     */
    ExchangeResponse(HttpServletResponse response, int maxBodySize) {
        super(response);
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

    /** Ignores what is answered from now on, and what is held. */
    void discard() {
        held.clear();
        phase = Phase.DISCARDING;
    }

    /**
     * Sends what is held, and hands everything through from now on. A container that could not read the request has already
     * answered it by itself, and takes no other answer.
     */
    void release() throws IOException {
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
        output.flush();
        return held.outcome(super.getStatus(), headers);
    }

    void write(byte[] bytes, int offset, int count) throws IOException {
        if (phase == Phase.HOLDING && !held.accepts(bytes, offset, count)) {
            beforeOverflow.run();
            phase = Phase.PASSING;
            if (held.declaredLength() >= 0) {
                super.setContentLengthLong(held.declaredLength());
            }
            held.moveBodyTo(super.getOutputStream());
        }
        if (phase == Phase.PASSING) {
            super.getOutputStream().write(bytes, offset, count);
        }
    }

    void closeBody() throws IOException {
        if (phase == Phase.PASSING) {
            super.getOutputStream().close();
        } else {
            held.close();
        }
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
            super.setCharacterEncoding(encoding);
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
        if (!output.hasWriter()) {
            super.setCharacterEncoding(encoding);
        }
    }

    @Override
    public void setCharacterEncoding(@Nullable Charset encoding) {
        setCharacterEncoding(encoding == null ? null : encoding.name());
    }

    @Override
    public void setContentType(@Nullable String type) {
        super.setContentType(type);
        if (output.hasWriter()) {
            // A writer keeps its encoding, whatever the content type says later.
            super.setCharacterEncoding(output.encoding());
        }
    }

    @Override
    public void flushBuffer() throws IOException {
        if (phase == Phase.PASSING) {
            super.flushBuffer();
        }
    }

    @Override
    public boolean isCommitted() {
        return phase == Phase.PASSING ? super.isCommitted() : held.isEnded();
    }

    @Override
    public void resetBuffer() {
        if (phase == Phase.PASSING) {
            super.resetBuffer();
        } else {
            held.requireNotEnded();
            output.flush();
            held.clearBody();
        }
    }

    @Override
    public void reset() {
        if (phase == Phase.DISCARDING) {
            return;
        }
        if (phase == Phase.HOLDING) {
            held.requireNotEnded();
            held.clear();
            output.reset();
        }
        super.reset();
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

    @Override
    public void sendError(int status) throws IOException {
        if (phase == Phase.PASSING) {
            super.sendError(status);
        } else {
            end(Ending.ERROR, status, "", true);
        }
    }

    @Override
    public void sendError(int status, @Nullable String message) throws IOException {
        if (phase == Phase.PASSING) {
            super.sendError(status, message);
        } else {
            end(Ending.ERROR, status, Objects.requireNonNullElse(message, ""), true);
        }
    }

    @Override
    public void sendRedirect(String location) throws IOException {
        sendRedirect(location, SC_FOUND, true);
    }

    @Override
    public void sendRedirect(String location, int status) throws IOException {
        sendRedirect(location, status, true);
    }

    @Override
    public void sendRedirect(String location, boolean clearBuffer) throws IOException {
        sendRedirect(location, SC_FOUND, clearBuffer);
    }

    @Override
    public void sendRedirect(String location, int status, boolean clearBuffer) throws IOException {
        if (phase == Phase.PASSING) {
            super.sendRedirect(location, status, clearBuffer);
        } else {
            end(Ending.REDIRECT, status, location, clearBuffer);
        }
    }

    private void end(Ending ending, int status, String text, boolean clearBody) {
        if (phase == Phase.HOLDING) {
            output.flush();
            held.end(ending, status, text, clearBody);
        }
    }

    @Override
    public void setContentLength(int length) {
        setContentLengthLong(length);
    }

    @Override
    public void setContentLengthLong(long length) {
        if (phase == Phase.PASSING) {
            super.setContentLengthLong(length);
        } else {
            held.declareLength(length);
        }
    }

    @Override
    public void setHeader(String name, @Nullable String value) {
        if (!declaresLength(name, value)) {
            super.setHeader(name, value);
        }
    }

    @Override
    public void addHeader(String name, @Nullable String value) {
        if (!declaresLength(name, value)) {
            super.addHeader(name, value);
        }
    }

    @Override
    public void setIntHeader(String name, int value) {
        if (!declaresLength(name, Integer.toString(value))) {
            super.setIntHeader(name, value);
        }
    }

    @Override
    public void addIntHeader(String name, int value) {
        if (!declaresLength(name, Integer.toString(value))) {
            super.addIntHeader(name, value);
        }
    }

    /** The length of a held body is known when it is sent. */
    private boolean declaresLength(String name, @Nullable String value) {
        if (phase == Phase.PASSING || value == null || !name.equalsIgnoreCase(HttpHeaders.CONTENT_LENGTH)) {
            return false;
        }
        held.declareLength(Long.parseLong(value));
        return true;
    }
}
