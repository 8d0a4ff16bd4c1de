package io.idempotency.web;

import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The body of a request, observed while it is read. What nobody has read can be drained, and is then read from memory. */
final class ObservedInputStream extends ServletInputStream {

    private final ServletInputStream source;

    private final ObservedBody body;

    private @Nullable ByteArrayInputStream drained;

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
        int first = read();
        if (first >= 0) {
            rest.write(first);
            byte[] buffer = new byte[8192];
            for (int count = read(buffer); count >= 0 && !body.isTooLarge(); count = read(buffer)) {
                rest.write(buffer, 0, count);
            }
        }
        drained = new ByteArrayInputStream(rest.toByteArray());
    }

    @Override
    public int read() throws IOException {
        if (drained != null) {
            return drained.read();
        }
        int value = source.read();
        if (value >= 0) {
            body.add(new byte[] {(byte) value}, 0, 1);
        }
        return value;
    }

    @Override
    public int read(byte[] bytes, int offset, int count) throws IOException {
        if (drained != null) {
            return drained.read(bytes, offset, count);
        }
        int read = source.read(bytes, offset, count);
        if (read > 0) {
            body.add(bytes, offset, read);
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
        source.close();
    }
}
