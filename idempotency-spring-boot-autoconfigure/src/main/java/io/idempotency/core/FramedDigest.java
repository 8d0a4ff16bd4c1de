package io.idempotency.core;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import org.jspecify.annotations.Nullable;

/**
 * SHA-256 over a list of parts, each preceded by its length in four bytes. Without the frame {@code ("ab", "c")} and
 * {@code ("a", "bc")} would be the same operation.
 */
public final class FramedDigest {

    /** One for each thread, since to look one up costs more than to digest a few short texts. */
    private static final ThreadLocal<MessageDigest> SHA_256 = ThreadLocal.withInitial(FramedDigest::newSha256);

    private FramedDigest() {}

    /**
     * Digests texts as UTF-8. A {@code null} part counts, and differs from an empty one; so does a text that has no UTF-8
     * form, since it holds unpaired surrogates, from every other.
     */
    public static byte[] sha256(@Nullable String... parts) {
        long length = 0;
        for (String part : parts) {
            length += Integer.BYTES + (part == null ? 0 : part.length());
        }
        FramedParts framed = new FramedParts(SHA_256.get(), length);
        for (String part : parts) {
            framed.add(part);
        }
        return framed.digest();
    }

    /** Digests bytes. */
    public static byte[] sha256(byte[]... parts) {
        long length = 0;
        for (byte[] part : parts) {
            length += Integer.BYTES + part.length;
        }
        FramedParts framed = new FramedParts(SHA_256.get(), length);
        for (byte[] part : parts) {
            framed.add(part);
        }
        return framed.digest();
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
