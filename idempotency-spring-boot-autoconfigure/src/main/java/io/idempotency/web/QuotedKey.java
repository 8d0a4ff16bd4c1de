package io.idempotency.web;

import java.util.Optional;

/**
 * A key in the form of RFC 9651, section 3.3.3: a String item between double quotes, in which a backslash escapes a quote
 * or a backslash. Parameters may follow and mean nothing.
 */
final class QuotedKey {

    private static final char QUOTE = '"';

    private static final char ESCAPE = '\\';

    private QuotedKey() {}

    /** Returns what stands between the quotes; empty where the value is not well-formed. */
    static Optional<String> parse(String value) {
        StringBuilder key = new StringBuilder();
        for (int index = 1; index < value.length(); index++) {
            char next = value.charAt(index);
            if (next == QUOTE) {
                return isParameters(value.substring(index + 1)) ? Optional.of(key.toString()) : Optional.empty();
            }
            if (next == ESCAPE) {
                index++;
                next = index < value.length() ? value.charAt(index) : 0;
                if (next != QUOTE && next != ESCAPE) {
                    return Optional.empty();
                }
            }
            key.append(next);
        }
        return Optional.empty();
    }

    /** A second item, after a comma, is no parameter: several keys are no key. */
    private static boolean isParameters(String rest) {
        return rest.isEmpty() || (rest.stripLeading().startsWith(";") && rest.indexOf(',') < 0);
    }
}
