package io.idempotency.web;

import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.UnsupportedEncodingException;
import java.io.Writer;

/** The body of the response of an exchange, as text. It stays valid when the response stops or begins to hold back. */
final class ExchangeWriter extends Writer {

    private final ExchangeResponse response;

    private final OutputStreamWriter encoder;

    ExchangeWriter(ExchangeResponse response, String encoding) throws UnsupportedEncodingException {
        this.response = response;
        this.encoder = new OutputStreamWriter(new Encoded(response), encoding);
    }

    @Override
    public void write(char[] text, int offset, int count) throws IOException {
        encoder.write(text, offset, count);
        if (response.isPassing()) {
            // What a container sends at the end is what it has, not what waits here.
            encoder.flush();
        }
    }

    /** Hands over what is encoded, and sends nothing. */
    void handOver() throws IOException {
        encoder.flush();
    }

    @Override
    public void flush() throws IOException {
        encoder.flush();
        response.flushBuffer();
    }

    @Override
    public void close() throws IOException {
        encoder.flush();
        response.closeBody();
    }

    /** Takes the encoded text. To flush the encoder is not to send the response. */
    private static final class Encoded extends OutputStream {

        private final ExchangeResponse response;

        Encoded(ExchangeResponse response) {
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
    }
}
