package io.idempotency.web;

import io.idempotency.core.Outcome;
import io.idempotency.core.OutcomeCodec;
import io.idempotency.core.OutcomeCodecException;
import io.idempotency.web.HttpOutcome.Ending;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
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

    /** In UTF-8, where those that are two units of a text have four. */
    private static final int MOST_BYTES_OF_CHARACTER = 3;

    /** What a token of RFC 9110, section 5.6.2, may hold besides letters and digits. */
    private static final String TOKEN_SIGNS = "!#$%&'*+-.^_`|~";

    @Override
    public Outcome encode(HttpOutcome outcome) {
        ByteBuffer head = head(outcome).flip();
        // The body is copied once: many large ones may be recorded at the same time.
        byte[] content = new byte[head.remaining() + Integer.BYTES + outcome.body().length];
        put(ByteBuffer.wrap(content).put(head), outcome.body());
        return new Outcome(Outcome.Kind.VALUE, FORMAT, content);
    }

    /** Encodes all but the body. */
    private static ByteBuffer head(HttpOutcome outcome) {
        ByteBuffer head = ByteBuffer.allocate(largestSizeOfHead(outcome));
        head.put((byte) outcome.ending().code);
        head.putShort((short) outcome.status());
        head.putInt(outcome.headers().size());
        for (Map.Entry<String, List<String>> header : outcome.headers().entrySet()) {
            put(head, headerName(header.getKey()));
            head.putInt(header.getValue().size());
            for (String value : header.getValue()) {
                put(head, value);
            }
        }
        put(head, outcome.text());
        return head;
    }

    private static int largestSizeOfHead(HttpOutcome outcome) {
        int size = 1 + Short.BYTES + Integer.BYTES + largestSize(outcome.text());
        for (Map.Entry<String, List<String>> header : outcome.headers().entrySet()) {
            size += largestSize(header.getKey()) + Integer.BYTES;
            for (String value : header.getValue()) {
                size += largestSize(value);
            }
        }
        return size;
    }

    private static int largestSize(String text) {
        return Integer.BYTES + MOST_BYTES_OF_CHARACTER * text.length();
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

    private static void put(ByteBuffer content, String text) {
        put(content, text.getBytes(StandardCharsets.UTF_8));
    }

    private static void put(ByteBuffer content, byte[] bytes) {
        content.putInt(bytes.length).put(bytes);
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
