package io.idempotency.store.redis;

import io.idempotency.core.IdempotencyStoreException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a script answered: a word, then numbers and bytes. */
final class ScriptReply {

    private final List<?> elements;

    private final String word;

    private ScriptReply(List<?> elements, String word) {
        this.elements = elements;
        this.word = word;
    }

    /**
     * Reads a reply.
     *
     * @throws IdempotencyStoreException if it is none of ours, or says that the record cannot be read
     */
    static ScriptReply of(@Nullable Object reply) {
        if (reply instanceof List<?> elements && !elements.isEmpty() && elements.get(0) instanceof byte[] word) {
            ScriptReply read = new ScriptReply(elements, new String(word, StandardCharsets.US_ASCII));
            if (read.is("UNREADABLE")) {
                throw new IdempotencyStoreException(
                        "A key of this store holds what this version cannot read, so nothing runs; was it written by a newer"
                                + " version, or by somebody else under the same idempotency.redis.key-prefix?",
                        null);
            }
            return read;
        }
        throw new IdempotencyStoreException("Redis answered a script with what makes no sense", null);
    }

    boolean is(String expected) {
        return word.equals(expected);
    }

    String word() {
        return word;
    }

    /** Returns the number of elements, with the word. */
    int size() {
        return elements.size();
    }

    long number(int index) {
        return element(index, Long.class);
    }

    Duration milliseconds(int index) {
        return Duration.ofMillis(number(index));
    }

    byte[] bytes(int index) {
        return element(index, byte[].class);
    }

    private <T> T element(int index, Class<T> type) {
        if (index < elements.size() && type.isInstance(elements.get(index))) {
            return type.cast(elements.get(index));
        }
        throw unexpected();
    }

    IdempotencyStoreException unexpected() {
        return new IdempotencyStoreException("Redis answered " + word + " in a form that makes no sense here", null);
    }
}
