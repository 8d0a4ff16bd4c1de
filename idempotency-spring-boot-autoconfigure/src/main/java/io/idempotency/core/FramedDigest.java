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

    private FramedDigest() {}

    /** Digests texts as UTF-8; a {@code null} part counts, and differs from an empty one. */
    public static byte[] sha256(@Nullable String... parts) {
        MessageDigest digest = newSha256();
        for (String part : parts) {
            update(digest, part == null ? null : part.getBytes(StandardCharsets.UTF_8));
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

    private static void update(MessageDigest digest, byte @Nullable [] part) {
        digest.update(ByteBuffer.allocate(Integer.BYTES)
                .putInt(part == null ? ABSENT : part.length)
                .flip());
        if (part != null) {
            digest.update(part);
        }
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
