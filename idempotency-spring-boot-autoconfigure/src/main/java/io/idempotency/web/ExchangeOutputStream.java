package io.idempotency.web;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;

/** The body of the response of an exchange. It stays valid when the response stops or begins to hold back. */
final class ExchangeOutputStream extends ServletOutputStream {

    private final ExchangeResponse response;

    ExchangeOutputStream(ExchangeResponse response) {
        this.response = response;
    }

    @Override
    public void write(int value) throws IOException {
        response.write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int count) throws IOException {
        response.write(bytes, offset, count);
    }

    @Override
    public void flush() throws IOException {
        response.flushBuffer();
    }

    @Override
    public void close() throws IOException {
        response.closeBody();
    }

    @Override
    public boolean isReady() {
        return !response.isPassing()
                || passing().map(ServletOutputStream::isReady).orElse(true);
    }

    @Override
    public void setWriteListener(WriteListener listener) {
        passing()
                .orElseThrow(() -> new IllegalStateException(
                        "The response of a protected handler is held back and cannot be written without blocking"))
                .setWriteListener(listener);
    }

    private Optional<ServletOutputStream> passing() {
        try {
            return response.passing();
        } catch (IOException gone) {
            throw new UncheckedIOException(gone);
        }
    }
}
