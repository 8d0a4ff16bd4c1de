package io.idempotency.web;

import io.idempotency.web.HttpOutcome.Ending;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Map;

/** What a response holds back: its body so far, and the error or redirect that ended it. */
final class HeldAnswer {

    private final int maxBodySize;

    private final ByteArrayOutputStream body = new ByteArrayOutputStream(0);

    private Ending ending = Ending.BODY;

    private boolean closed;

    private int status;

    private String text = "";

    private long declaredLength = -1;

    /**
     * @param maxBodySize the largest body that is held, in bytes
     */
    HeldAnswer(int maxBodySize) {
        this.maxBodySize = maxBodySize;
    }

    /** Holds bytes, or says that they are too many. What comes after the end of the response is ignored. */
    boolean accepts(byte[] bytes, int offset, int count) {
        if (closed) {
            return true;
        }
        if (body.size() + (long) count > maxBodySize) {
            return false;
        }
        body.write(bytes, offset, count);
        return true;
    }

    /** Ends the response by an error or a redirect. */
    void end(Ending ending, int status, String text, boolean clearBody) {
        requireNotEnded();
        if (clearBody) {
            body.reset();
        }
        this.closed = clearBody;
        this.ending = ending;
        this.status = status;
        this.text = text;
    }

    boolean isEnded() {
        return ending != Ending.BODY;
    }

    void requireNotEnded() {
        if (isEnded()) {
            throw new IllegalStateException("The response has already been ended by an error or a redirect");
        }
    }

    boolean hasBody() {
        return body.size() > 0;
    }

    void clearBody() {
        body.reset();
        closed = false;
    }

    /** Ignores what is written from now on, as a container does when the body was closed or the request was forwarded. */
    void close() {
        closed = true;
    }

    boolean isClosed() {
        return closed;
    }

    void clear() {
        body.reset();
        ending = Ending.BODY;
        closed = false;
        declaredLength = -1;
    }

    int status(int responseStatus) {
        return isEnded() ? status : responseStatus;
    }

    /** Notes the length that the application gave, for a body that turns out too large to be held. */
    void declareLength(long length) {
        declaredLength = length;
    }

    long declaredLength() {
        return declaredLength;
    }

    void moveBodyTo(OutputStream target) throws IOException {
        body.writeTo(target);
        body.reset();
    }

    HttpOutcome outcome(int responseStatus, Map<String, List<String>> headers) {
        return new HttpOutcome(ending, status(responseStatus), headers, text, body.toByteArray());
    }
}
