package io.idempotency.web;

import io.idempotency.core.Outcome;
import io.idempotency.core.OutcomeCodec;
import io.idempotency.core.OutcomeCodecException;
import io.idempotency.web.HttpOutcome.Ending;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The stored form of a response, {@code http/1}: code of the ending in one byte, status in two, headers, text, body. The
 * headers are their number, followed by name, number of values and values of each. Numbers have four bytes, and texts, in
 * UTF-8, and the body follow their length.
 */
final class HttpOutcomeCodec implements OutcomeCodec<HttpOutcome> {

    private static final String FORMAT = "http/1";

    @Override
    public Outcome encode(HttpOutcome outcome) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(outcome.body().length + 512);
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeByte(outcome.ending().code);
            out.writeShort(outcome.status());
            out.writeInt(outcome.headers().size());
            for (Map.Entry<String, List<String>> header : outcome.headers().entrySet()) {
                write(out, header.getKey());
                out.writeInt(header.getValue().size());
                for (String value : header.getValue()) {
                    write(out, value);
                }
            }
            write(out, outcome.text());
            write(out, outcome.body());
        } catch (IOException impossible) {
            throw new UncheckedIOException("Memory can be written", impossible);
        }
        return new Outcome(Outcome.Kind.VALUE, FORMAT, bytes.toByteArray());
    }

    private static void write(DataOutputStream out, String text) throws IOException {
        write(out, text.getBytes(StandardCharsets.UTF_8));
    }

    private static void write(DataOutputStream out, byte[] bytes) throws IOException {
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    @Override
    public HttpOutcome decode(Outcome outcome) {
        if (!outcome.format().equals(FORMAT)) {
            throw new OutcomeCodecException("it is not a recorded HTTP response", null);
        }
        try {
            return read(ByteBuffer.wrap(outcome.content()));
        } catch (BufferUnderflowException | NegativeArraySizeException damaged) {
            throw new OutcomeCodecException("the recorded HTTP response is damaged", damaged);
        }
    }

    private static HttpOutcome read(ByteBuffer content) {
        Ending ending = ending((char) content.get());
        int status = content.getShort();
        Map<String, List<String>> headers = new LinkedHashMap<>();
        for (int left = content.getInt(); left > 0; left--) {
            String name = readText(content);
            List<String> values = new ArrayList<>();
            for (int valuesLeft = content.getInt(); valuesLeft > 0; valuesLeft--) {
                values.add(readText(content));
            }
            headers.put(name, values);
        }
        return new HttpOutcome(ending, status, headers, readText(content), readBytes(content));
    }

    private static Ending ending(char code) {
        return Stream.of(Ending.values())
                .filter(ending -> ending.code == code)
                .findAny()
                .orElseThrow(
                        () -> new OutcomeCodecException("the recorded HTTP response ends in an unknown way", null));
    }

    private static String readText(ByteBuffer content) {
        return new String(readBytes(content), StandardCharsets.UTF_8);
    }

    private static byte[] readBytes(ByteBuffer content) {
        int length = content.getInt();
        if (length > content.remaining()) {
            throw new BufferUnderflowException();
        }
        byte[] bytes = new byte[length];
        content.get(bytes);
        return bytes;
    }
}
