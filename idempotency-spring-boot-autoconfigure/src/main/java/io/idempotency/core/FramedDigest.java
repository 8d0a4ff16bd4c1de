package io.idempotency.core;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import org.jspecify.annotations.Nullable;

/**
 * SHA-256 over a list of parts, each preceded by its length in four bytes. Without the frame {@code ("ab", "c")} and
 * {@code ("a", "bc")} would be the same operation.
 */
public final class FramedDigest {

    /** The length that stands for an absent part, so that it differs from an empty one. */
    private static final int ABSENT = -1;

    /** From here downwards, lengths count the units of texts that have no UTF-8 form. */
    private static final int MALFORMED = -2;

    private FramedDigest() {}

    /**
     * Digests texts as UTF-8. A {@code null} part counts, and differs from an empty one; so does a text that has no UTF-8
     * form, since it holds unpaired surrogates, from every other.
     */
    public static byte[] sha256(@Nullable String... parts) {
        MessageDigest digest = newSha256();
        for (String part : parts) {
            if (part == null) {
                frame(digest, ABSENT);
            } else {
                update(digest, part);
            }
        }
        return digest.digest();
    }

    /** Digests bytes. */
    public static byte[] sha256(byte[]... parts) {
        MessageDigest digest = newSha256();
        for (byte[] part : parts) {
            update(digest, part);
        }
        return digest.digest();
    }

    private static void update(MessageDigest digest, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        // That has made the same '?' of every unpaired surrogate.
        if (new String(bytes, StandardCharsets.UTF_8).equals(text)) {
            update(digest, bytes);
        } else {
            frame(digest, MALFORMED - text.length());
            text.chars().forEach(unit -> {
                digest.update((byte) (unit >> Byte.SIZE));
                digest.update((byte) unit);
            });
        }
    }

    private static void update(MessageDigest digest, byte[] bytes) {
        frame(digest, bytes.length);
        digest.update(bytes);
    }

    private static void frame(MessageDigest digest, int length) {
        digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(length).array());
    }

    /** Returns a new SHA-256. */
    public static MessageDigest newSha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("Every Java platform has SHA-256", impossible);
        }
    }
}
