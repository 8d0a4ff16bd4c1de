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

    /** One for each thread, since to look one up costs more than to digest a few short texts. */
    private static final ThreadLocal<MessageDigest> SHA_256 = ThreadLocal.withInitial(FramedDigest::newSha256);

    private FramedDigest() {}

    /**
     * Digests texts as UTF-8. A {@code null} part counts, and differs from an empty one; so does a text that has no UTF-8
     * form, since it holds unpaired surrogates, from every other.
     */
    public static byte[] sha256(@Nullable String... parts) {
        MessageDigest digest = ofThread();
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
        MessageDigest digest = ofThread();
        for (byte[] part : parts) {
            update(digest, part);
        }
        return digest.digest();
    }

    private static MessageDigest ofThread() {
        MessageDigest digest = SHA_256.get();
        // An earlier one may have ended in the middle, by an error of the JVM.
        digest.reset();
        return digest;
    }

    private static void update(MessageDigest digest, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        if (hasUtf8(text, bytes)) {
            update(digest, bytes);
        } else {
            frame(digest, MALFORMED - text.length());
            text.chars().forEach(unit -> {
                digest.update((byte) (unit >> Byte.SIZE));
                digest.update((byte) unit);
            });
        }
    }

    /** Says whether these bytes are the text: the same '?' stands in them for every surrogate that is unpaired. */
    private static boolean hasUtf8(String text, byte[] bytes) {
        return !hasSurrogates(text) || new String(bytes, StandardCharsets.UTF_8).equals(text);
    }

    private static boolean hasSurrogates(String text) {
        for (int index = 0; index < text.length(); index++) {
            if (Character.isSurrogate(text.charAt(index))) {
                return true;
            }
        }
        return false;
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
