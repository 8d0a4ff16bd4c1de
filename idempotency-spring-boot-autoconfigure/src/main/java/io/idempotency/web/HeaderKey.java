package io.idempotency.web;

import io.idempotency.core.InvalidIdempotencyKeyException;
import io.idempotency.core.InvalidIdempotencyKeyException.Reason;
import io.idempotency.interceptor.IdempotentMethod;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Enumeration;
import java.util.List;
import java.util.Optional;

/**
 * The key in the headers of a request. Quoted as RFC 9651 says or as it is, it is the same key. Messages are shown to the
 * client and never hold the value.
 */
final class HeaderKey {

    private final WebSettings settings;

    HeaderKey(WebSettings settings) {
        this.settings = settings;
    }

    /**
     * Reads the key; empty where there is none and the operation does not require one.
     *
     * @throws InvalidIdempotencyKeyException if there is none where one is required, or none that can be accepted
     */
    Optional<String> read(HttpServletRequest request, IdempotentMethod method) {
        List<String> names = method.header().map(List::of).orElse(settings.headerNames());
        String key = null;
        for (String name : names) {
            Enumeration<String> values = request.getHeaders(name);
            if (!values.hasMoreElements()) {
                continue;
            }
            String value = values.nextElement();
            if (values.hasMoreElements()) {
                throw malformed(name, "was sent more than once");
            }
            String read = key(name, value);
            if (key != null && !key.equals(read)) {
                throw malformed(String.join(" and ", names), "do not hold the same key");
            }
            key = read;
        }
        if (key == null && method.required()) {
            throw new InvalidIdempotencyKeyException(
                    Reason.MISSING, "Send a key in the header %s.".formatted(names.get(0)));
        }
        return Optional.ofNullable(key);
    }

    private String key(String name, String value) {
        String stripped = withoutOptionalWhitespace(value);
        if (stripped.isEmpty()) {
            throw malformed(name, "is blank");
        }
        if (!isPrintableAscii(stripped)) {
            throw malformed(name, "holds characters other than printable ASCII");
        }
        String key = stripped.startsWith("\"")
                ? QuotedKey.parse(stripped).orElseThrow(() -> malformed(name, "is not a well-formed quoted string"))
                : unquoted(name, stripped);
        return accepted(name, key);
    }

    private static boolean isPrintableAscii(String value) {
        for (int index = 0; index < value.length(); index++) {
            char character = value.charAt(index);
            if (character < ' ' || character >= 0x7f) {
                return false;
            }
        }
        return true;
    }

    /** Leaves out what RFC 9110, section 5.5, excludes from the value of a field, and nothing else. */
    private static String withoutOptionalWhitespace(String value) {
        int start = 0;
        int end = value.length();
        while (start < end && isOptionalWhitespace(value.charAt(start))) {
            start++;
        }
        while (start < end && isOptionalWhitespace(value.charAt(end - 1))) {
            end--;
        }
        return value.substring(start, end);
    }

    private static boolean isOptionalWhitespace(char character) {
        return character == ' ' || character == '\t';
    }

    private String unquoted(String name, String value) {
        if (settings.strict()) {
            throw malformed(name, "must be a quoted string");
        }
        if (value.indexOf('"') >= 0 || value.indexOf(',') >= 0) {
            throw malformed(name, "holds a quote or a comma outside of a quoted string");
        }
        return value;
    }

    private String accepted(String name, String key) {
        if (key.isBlank()) {
            throw malformed(name, "is blank");
        }
        if (key.length() > settings.maxKeyLength()) {
            throw malformed(name, "has more than %d characters".formatted(settings.maxKeyLength()));
        }
        if (settings.keyPattern()
                .filter(pattern -> !pattern.matcher(key).matches())
                .isPresent()) {
            throw malformed(name, "does not have the form that this application demands");
        }
        return key;
    }

    private static InvalidIdempotencyKeyException malformed(String name, String problem) {
        return new InvalidIdempotencyKeyException(Reason.MALFORMED, "The header %s %s.".formatted(name, problem));
    }
}
