package io.idempotency.core;

import org.jspecify.annotations.Nullable;

/**
 * What identifies the intent of a call: an operation, the scope of the caller and the key that the caller chose.
 *
 * <p>The key is never shown: neither by {@link #toString()} nor by any message of this library.
 *
 * @param operation the name of what is protected, at most {@value #MAX_OPERATION_LENGTH} characters
 * @param scope who is calling, or {@code null} where callers are not told apart
 * @param value the caller's key, at most {@value #MAX_LENGTH} characters, without control characters
 */
public record IdempotencyKey(String operation, @Nullable String scope, String value) {

    /** The longest key; a longer one belongs in a digest. */
    public static final int MAX_LENGTH = 1024;

    /** The longest name of an operation. */
    public static final int MAX_OPERATION_LENGTH = 512;

    /**
     * @throws IllegalArgumentException if a part is blank, too long or holds what cannot be stored as text
     */
    public IdempotencyKey {
        requireText("operation", operation, MAX_OPERATION_LENGTH);
        requireText("key", value, MAX_LENGTH);
        if (scope != null) {
            requireWellFormed("scope", scope, MAX_LENGTH);
        }
    }

    /** Returns the identity of this key among all applications that share a store. */
    public Identity identity(String namespace) {
        return Identity.of(namespace, operation, scope, value);
    }

    /** Returns what the log calls this. */
    String subject() {
        return "operation " + operation;
    }

    static void requireText(String part, String text, int maxLength) {
        if (text.isBlank()) {
            throw new IllegalArgumentException("The " + part + " must not be blank");
        }
        requireWellFormed(part, text, maxLength);
    }

    private static void requireWellFormed(String part, String text, int maxLength) {
        if (text.length() > maxLength) {
            throw new IllegalArgumentException(
                    "The %s has %d characters, at most %d are allowed; pass a digest of it instead"
                            .formatted(part, text.length(), maxLength));
        }
        for (int index = 0; index < text.length(); ) {
            int point = text.codePointAt(index);
            if (!isAllowed(point)) {
                throw new IllegalArgumentException(
                        "The " + part + " must not contain control characters or unpaired surrogates");
            }
            index += Character.charCount(point);
        }
    }

    private static boolean isAllowed(int point) {
        if (point >= ' ' && point <= '~') {
            // What nearly all of them consist of needs no look into the tables of Unicode.
            return true;
        }
        // An unpaired surrogate has no UTF-8 form: all of them would become the same '?'.
        return !Character.isISOControl(point) && Character.getType(point) != Character.SURROGATE;
    }

    @Override
    public String toString() {
        return "IdempotencyKey[operation=" + operation + "]";
    }
}
