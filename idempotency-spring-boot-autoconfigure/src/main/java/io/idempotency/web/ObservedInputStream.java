package io.idempotency.web;

import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The body of a request, observed while it is read. What nobody has read can be drained, and is then read from memory. It
 * can be drained after it was closed too: who reads all that it needs, and closes the stream, has not read all of it.
 */
final class ObservedInputStream extends ServletInputStream {

    private final ServletInputStream source;

    private final ObservedBody body;

    private @Nullable ByteArrayInputStream drained;

    private boolean ended;

    private boolean closed;

    ObservedInputStream(ServletInputStream source, ObservedBody body) {
        this.source = source;
        this.body = body;
    }

    /** Reads the rest, until the body is too large. */
    void drain() throws IOException {
        if (drained != null) {
            return;
        }
        ByteArrayOutputStream rest = new ByteArrayOutputStream(0);
        // Most handlers have read all of it, and then there is nothing to make a buffer for.
        int first = ended ? -1 : observe();
        if (first >= 0) {
            rest.write(first);
            byte[] buffer = new byte[8192];
            for (int count = observe(buffer, 0, buffer.length);
                    count >= 0 && !body.isTooLarge();
                    count = observe(buffer, 0, buffer.length)) {
                rest.write(buffer, 0, count);
            }
        }
        drained = new ByteArrayInputStream(rest.toByteArray());
    }

    @Override
    public int read() throws IOException {
        askWhetherClosed();
        return drained != null ? drained.read() : observe();
    }

    @Override
    public int read(byte[] bytes, int offset, int count) throws IOException {
        askWhetherClosed();
        return drained != null ? drained.read(bytes, offset, count) : observe(bytes, offset, count);
    }

    /** Only the container knows whether what was closed can still be read; the fingerprint needs the rest before. */
    private void askWhetherClosed() throws IOException {
        if (!closed) {
            return;
        }
        if (!body.isIgnored()) {
            drain();
        }
        source.close();
        if (drained != null) {
            source.read();
        }
    }

    private int observe() throws IOException {
        int value = source.read();
        if (value >= 0) {
            body.add(new byte[] {(byte) value}, 0, 1);
        } else {
            ended = true;
        }
        return value;
    }

    private int observe(byte[] bytes, int offset, int count) throws IOException {
        int read = source.read(bytes, offset, count);
        if (read > 0) {
            body.add(bytes, offset, read);
        } else if (read < 0) {
            ended = true;
        }
        return read;
    }

    @Override
    public int available() throws IOException {
        return drained != null ? drained.available() : source.available();
    }

    @Override
    public boolean isFinished() {
        return drained != null ? drained.available() == 0 : source.isFinished();
    }

    @Override
    public boolean isReady() {
        return drained != null || source.isReady();
    }

    @Override
    public void setReadListener(ReadListener listener) {
        if (drained != null) {
            throw new IllegalStateException(
                    "The body of a protected request was read for its fingerprint and is in memory:"
                            + " read it without a ReadListener, or use @Idempotent(fingerprint = \"NONE\")");
        }
        source.setReadListener(listener);
    }

    @Override
    public void close() throws IOException {
        closed = true;
        if (body.isIgnored()) {
            source.close();
        }
    }
}
