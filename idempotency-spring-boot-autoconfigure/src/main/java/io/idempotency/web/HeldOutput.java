package io.idempotency.web;

import jakarta.servlet.ServletOutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.io.UnsupportedEncodingException;
import org.jspecify.annotations.Nullable;

/** The stream or the writer by which the body of a response is written; as in a container, one excludes the other. */
final class HeldOutput {

    private final ExchangeResponse response;

    private @Nullable ServletOutputStream stream;

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
            writer = new PrintWriter(new OutputStreamWriter(new ExchangeOutputStream(response), encoding));
        }
        return writer;
    }

    /** Returns the encoding that the writer writes in. */
    String encoding() {
        return encoding;
    }

    void flush() {
        if (writer != null) {
            writer.flush();
        }
    }

    /** Forgets both, so that either may be asked for. */
    void reset() {
        stream = null;
        writer = null;
    }
}
