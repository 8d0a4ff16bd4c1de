package io.idempotency.web;

import io.idempotency.core.Outcome;
import io.idempotency.core.OutcomeCodec;
import io.idempotency.core.OutcomeCodecException;
import io.idempotency.web.HttpOutcome.Ending;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The stored form of a response, {@code http/1}: code of the ending in one byte, status in two, headers, text, body. The
 * headers are their number, followed by name, number of values and values of each. Numbers have four bytes, and texts, in
 * UTF-8, and the body follow their length.
 */
final class HttpOutcomeCodec implements OutcomeCodec<HttpOutcome> {

    private static final String FORMAT = "http/1";

    /** What a token of RFC 9110, section 5.6.2, may hold besides letters and digits. */
    private static final String TOKEN_SIGNS = "!#$%&'*+-.^_`|~";

    @Override
    public Outcome encode(HttpOutcome outcome) {
        Content content = new Content(smallestSizeOfHead(outcome));
        content.add(outcome.ending().code, 1);
        content.add(outcome.status(), Short.BYTES);
        content.add(outcome.headers().size(), Integer.BYTES);
        for (Map.Entry<String, List<String>> header : outcome.headers().entrySet()) {
            content.add(headerName(header.getKey()));
            content.add(header.getValue().size(), Integer.BYTES);
            for (String value : header.getValue()) {
                content.add(value);
            }
        }
        content.add(outcome.text());
        return new Outcome(Outcome.Kind.VALUE, FORMAT, content.with(outcome.body()));
    }

    /** Returns the size of all but the body where all texts are ASCII, as they nearly always are. */
    private static int smallestSizeOfHead(HttpOutcome outcome) {
        int size = 1 + Short.BYTES + Integer.BYTES;
        for (Map.Entry<String, List<String>> header : outcome.headers().entrySet()) {
            size += Integer.BYTES + header.getKey().length() + Integer.BYTES;
            for (String value : header.getValue()) {
                size += Integer.BYTES + value.length();
            }
        }
        return size + Integer.BYTES + outcome.text().length();
    }

    /** What is stored, as far as it is written. It grows by as much as is needed. */
    private static final class Content {

        private byte[] bytes;

        private int size;

        Content(int smallestSize) {
            bytes = new byte[smallestSize];
        }

        void add(int value, int count) {
            require(count);
            for (int shift = (count - 1) * Byte.SIZE; shift >= 0; shift -= Byte.SIZE) {
                bytes[size++] = (byte) (value >> shift);
            }
        }

        void add(String text) {
            add(text.getBytes(StandardCharsets.UTF_8));
        }

        void add(byte[] part) {
            add(part.length, Integer.BYTES);
            require(part.length);
            System.arraycopy(part, 0, bytes, size, part.length);
            size += part.length;
        }

        private void require(int count) {
            if (bytes.length - size < count) {
                bytes = Arrays.copyOf(bytes, size + count);
            }
        }

        /** Copies the body once: many large ones may be recorded at the same time. */
        byte[] with(byte[] body) {
            require(Integer.BYTES + body.length);
            add(body);
            return bytes;
        }
    }

    /** A response that cannot be replayed is better not recorded than found to be damaged. */
    private static String headerName(String name) {
        if (!isToken(name)) {
            throw new IllegalArgumentException("A response header has a name that is no token of RFC 9110");
        }
        return name;
    }

    private static boolean isToken(String name) {
        for (int index = 0; index < name.length(); index++) {
            char character = name.charAt(index);
            boolean letterOrDigit = (character >= 'a' && character <= 'z')
                    || (character >= 'A' && character <= 'Z')
                    || (character >= '0' && character <= '9');
            if (!letterOrDigit && TOKEN_SIGNS.indexOf(character) < 0) {
                return false;
            }
        }
        return !name.isEmpty();
    }

    @Override
    public HttpOutcome decode(Outcome outcome) {
        if (!outcome.format().equals(FORMAT)) {
            throw new OutcomeCodecException("it is not a recorded HTTP response", null);
        }
        ByteBuffer content = ByteBuffer.wrap(outcome.content());
        try {
            HttpOutcome response = read(content);
            if (content.hasRemaining()) {
                throw damaged(null);
            }
            return response;
        } catch (BufferUnderflowException damaged) {
            throw damaged(damaged);
        }
    }

    private static HttpOutcome read(ByteBuffer content) {
        Ending ending = ending((char) content.get());
        int status = content.getShort();
        if (status < 100 || status > 999) {
            throw damaged(null);
        }
        Map<String, List<String>> headers = new LinkedHashMap<>();
        for (int left = readCount(content); left > 0; left--) {
            headers.put(readName(content), readValues(content));
        }
        return new HttpOutcome(ending, status, headers, readText(content), readBytes(content));
    }

    private static String readName(ByteBuffer content) {
        String name = readText(content);
        if (!isToken(name)) {
            throw damaged(null);
        }
        return name;
    }

    private static List<String> readValues(ByteBuffer content) {
        List<String> values = new ArrayList<>();
        for (int left = readCount(content); left > 0; left--) {
            values.add(readText(content));
        }
        if (values.isEmpty()) {
            throw damaged(null);
        }
        return values;
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
        int length = readCount(content);
        if (length > content.remaining()) {
            throw new BufferUnderflowException();
        }
        byte[] bytes = new byte[length];
        content.get(bytes);
        return bytes;
    }

    private static int readCount(ByteBuffer content) {
        int count = content.getInt();
        if (count < 0) {
            throw damaged(null);
        }
        return count;
    }

    private static OutcomeCodecException damaged(@Nullable Throwable cause) {
        return new OutcomeCodecException("the recorded HTTP response is damaged", cause);
    }
}
