package io.idempotency.web;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A key in the form of RFC 9651: an item that is a String (section 3.3.3), between double quotes, in which a backslash
 * escapes a quote or a backslash. Parameters (section 3.1.2) may follow and mean nothing. What is not well-formed as a
 * whole is no key, as section 4.2 demands.
 */
final class QuotedKey {

    private static final char QUOTE = '"';

    private static final char ESCAPE = '\\';

    /** The name of a parameter and what stands before it. */
    private static final Pattern PARAMETER = Pattern.compile("; *[a-z*][a-z0-9_.*-]*+(=)?");

    /** A value that is no String: number, token, bytes, boolean or date, of sections 3.3.1 to 3.3.7. */
    private static final Pattern VALUE = Pattern.compile("-?[0-9]{1,12}\\.[0-9]{1,3}|@?-?[0-9]{1,15}+"
            + "|[A-Za-z*][!#$%&'*+.^_`|~0-9A-Za-z:/-]*+|:[A-Za-z0-9+/=]*+:|\\?[01]");

    /** A Display String of section 3.3.8, whose bytes have still to be UTF-8. */
    private static final Pattern DISPLAY_STRING = Pattern.compile("%\"((?:[ !#$&-~]|%[0-9a-f]{2})*+)\"");

    private QuotedKey() {}

    /** Returns what stands between the quotes; empty where the value is not well-formed. */
    static Optional<String> parse(String value) {
        StringBuilder key = new StringBuilder();
        int end = readString(value, 0, key);
        return end >= 0 && areParameters(value, end) ? Optional.of(key.toString()) : Optional.empty();
    }

    /** Reads from the opening quote at this index; returns the index after the closing one, -1 where there is none. */
    private static int readString(String value, int start, StringBuilder content) {
        if (start >= value.length() || value.charAt(start) != QUOTE) {
            return -1;
        }
        for (int index = start + 1; index < value.length(); index++) {
            char next = value.charAt(index);
            if (next == QUOTE) {
                return index + 1;
            }
            if (next == ESCAPE) {
                index++;
                next = index < value.length() ? value.charAt(index) : 0;
                if (next != QUOTE && next != ESCAPE) {
                    return -1;
                }
            }
            content.append(next);
        }
        return -1;
    }

    /** Says whether all the rest is parameters. A second item, after a comma, is none: several keys are no key. */
    private static boolean areParameters(String value, int start) {
        Matcher parameter = PARAMETER.matcher(value);
        int end = start;
        while (end >= 0 && end < value.length()) {
            if (!parameter.region(end, value.length()).lookingAt()) {
                return false;
            }
            end = parameter.group(1) == null ? parameter.end() : valueEnd(value, parameter.end());
        }
        return end >= 0;
    }

    private static int valueEnd(String value, int start) {
        Matcher simple = VALUE.matcher(value).region(start, value.length());
        if (simple.lookingAt()) {
            return simple.end();
        }
        Matcher display = DISPLAY_STRING.matcher(value).region(start, value.length());
        if (display.lookingAt()) {
            return isUtf8(display.group(1)) ? display.end() : -1;
        }
        return readString(value, start, new StringBuilder());
    }

    private static boolean isUtf8(String percentEncoded) {
        // A plus is no space here, and whatever is not UTF-8 becomes the sign for that, which is encoded otherwise.
        return !URLDecoder.decode(percentEncoded.replace("+", "%2b"), StandardCharsets.UTF_8)
                .contains("\uFFFD");
    }
}
