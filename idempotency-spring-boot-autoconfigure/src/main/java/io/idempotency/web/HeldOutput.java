package io.idempotency.web;

import jakarta.servlet.ServletOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UnsupportedEncodingException;
import org.jspecify.annotations.Nullable;

/** The stream or the writer by which the body of a response is written; as in a container, one excludes the other. */
final class HeldOutput {

    private final ExchangeResponse response;

    private @Nullable ServletOutputStream stream;

    private @Nullable ExchangeWriter text;

    private @Nullable PrintWriter writer;

    private String encoding = "";

    HeldOutput(ExchangeResponse response) {
        this.response = response;
    }

    boolean hasStream() {
        return stream != null;
    }

    boolean hasWriter() {
        return writer != null;
    }

    ServletOutputStream stream() {
        if (stream == null) {
            stream = new ExchangeOutputStream(response);
        }
        return stream;
    }

    /** Returns the writer, which writes in this encoding if it is a new one, and else keeps its own. */
    PrintWriter writer(String wanted) throws UnsupportedEncodingException {
        if (writer == null) {
            encoding = wanted;
            text = new ExchangeWriter(response, encoding);
            writer = new PrintWriter(text);
        }
        return writer;
    }

    /** Returns the encoding that the writer writes in. */
    String encoding() {
        return encoding;
    }

    /** Hands over the text that waits to be encoded, and sends nothing. */
    void handOver() throws IOException {
        if (text != null) {
            text.handOver();
        }
    }

    /** Forgets both, so that either may be asked for. */
    void reset() {
        stream = null;
        text = null;
        writer = null;
    }
}
