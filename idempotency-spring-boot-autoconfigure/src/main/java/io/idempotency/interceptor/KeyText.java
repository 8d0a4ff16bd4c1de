package io.idempotency.interceptor;

import io.idempotency.core.FramedDigest;
import java.lang.reflect.Array;
import java.net.URI;
import java.time.temporal.TemporalAccessor;
import java.time.temporal.TemporalAmount;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Turns the value of an expression into a text that is the same on every call and in every JVM. Values whose text is not
 * known to be stable are refused: the text of an arbitrary object is another one on each call, or names its class only.
 */
final class KeyText {

    private KeyText() {}

    /**
     * Returns the text of a value.
     *
     * @return {@code null} if there is no value, or one of several parts is missing
     * @throws UnstableTextException if the text of the value is not stable
     */
    static @Nullable String of(@Nullable Object value) {
        if (value instanceof Optional<?> optional) {
            return of(optional.orElse(null));
        }
        if (value instanceof Collection<?> parts) {
            return digest(parts, value instanceof Set);
        }
        if (value != null && value.getClass().isArray()) {
            return value instanceof byte[] bytes ? HexFormat.of().formatHex(bytes) : digest(elements(value), false);
        }
        return scalar(value);
    }

    /**
     * The function {@code #sha256(a, b, …)}: a digest in which no two lists of parts are the same.
     *
     * @return {@code null} if there are no parts or one of them is missing
     */
    static @Nullable String sha256(@Nullable Object @Nullable ... parts) {
        return parts == null ? null : digest(elements(parts), false);
    }

    private static @Nullable String digest(Collection<?> parts, boolean unordered) {
        List<String> texts = new ArrayList<>();
        for (Object part : parts) {
            String text = of(part);
            if (text == null) {
                return null;
            }
            texts.add(text);
        }
        if (texts.isEmpty()) {
            return null;
        }
        if (unordered) {
            texts.sort(null);
        }
        return HexFormat.of().formatHex(FramedDigest.sha256(texts.toArray(String[]::new)));
    }

    private static List<@Nullable Object> elements(Object array) {
        List<@Nullable Object> elements = new ArrayList<>();
        for (int index = 0; index < Array.getLength(array); index++) {
            elements.add(Array.get(array, index));
        }
        return elements;
    }

    private static @Nullable String scalar(@Nullable Object value) {
        if (value == null) {
            return null;
        }
        if (value instanceof Enum<?> constant) {
            return constant.name();
        }
        if (isStable(value)) {
            return value.toString();
        }
        throw new UnstableTextException(value.getClass());
    }

    private static boolean isStable(Object value) {
        return value instanceof CharSequence
                || value instanceof Boolean
                || value instanceof Character
                || value instanceof UUID
                || value instanceof URI
                || (value instanceof Number && isFrom("java.", value))
                || (value instanceof TemporalAccessor && isFrom("java.time.", value))
                || (value instanceof TemporalAmount && isFrom("java.time.", value));
    }

    private static boolean isFrom(String packagePrefix, Object value) {
        return value.getClass().getName().startsWith(packagePrefix);
    }

    /** A value whose text may be another one on the next call. */
    static final class UnstableTextException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        UnstableTextException(Class<?> type) {
            super("A value of type " + type.getName() + " has no stable text");
        }
    }
}
