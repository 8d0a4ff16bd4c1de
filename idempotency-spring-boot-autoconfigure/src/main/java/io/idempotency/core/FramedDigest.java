package io.idempotency.core;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.function.Consumer;
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

    /** Longer parts are digested by themselves, so that nothing large is copied. */
    private static final int LONGEST_PENDING = 512;

    private final MessageDigest digest;

    /** Short parts wait here: to digest many of them at once costs less. */
    private final byte[] pending;

    private int size;

    private FramedDigest(MessageDigest digest, long length) {
        this.digest = digest;
        this.pending = new byte[(int) Math.min(length, LONGEST_PENDING)];
    }

    /**
     * Digests texts as UTF-8. A {@code null} part counts, and differs from an empty one; so does a text that has no UTF-8
     * form, since it holds unpaired surrogates, from every other.
     */
    public static byte[] sha256(@Nullable String... parts) {
        long length = 0;
        for (String part : parts) {
            length += Integer.BYTES + (part == null ? 0 : part.length());
        }
        return digest(length, framed -> {
            for (String part : parts) {
                framed.add(part);
            }
        });
    }

    /** Digests bytes. */
    public static byte[] sha256(byte[]... parts) {
        long length = 0;
        for (byte[] part : parts) {
            length += Integer.BYTES + part.length;
        }
        return digest(length, framed -> {
            for (byte[] part : parts) {
                framed.add(part);
            }
        });
    }

    private static byte[] digest(long length, Consumer<FramedDigest> parts) {
        try {
            FramedDigest framed = new FramedDigest(SHA_256.get(), length);
            parts.accept(framed);
            framed.digestPending();
            return framed.digest.digest();
        } catch (Throwable broken) {
            // By an error of the JVM in the middle of it: the next one must not begin with what is left.
            SHA_256.remove();
            throw broken;
        }
    }

    private void add(@Nullable String text) {
        if (text == null) {
            addInt(ABSENT);
        } else if (text.length() <= pending.length - size - Integer.BYTES && isAscii(text)) {
            addInt(text.length());
            for (int index = 0; index < text.length(); index++) {
                pending[size++] = (byte) text.charAt(index);
            }
        } else {
            addEncoded(text);
        }
    }

    private static boolean isAscii(String text) {
        for (int index = 0; index < text.length(); index++) {
            if (text.charAt(index) >= 0x80) {
                return false;
            }
        }
        return true;
    }

    private void addEncoded(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        if (hasUtf8(text, bytes)) {
            add(bytes);
        } else {
            addInt(MALFORMED - text.length());
            ByteBuffer units = ByteBuffer.allocate(Character.BYTES * text.length());
            units.asCharBuffer().put(text);
            addBytes(units.array());
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

    private void add(byte[] part) {
        addInt(part.length);
        addBytes(part);
    }

    private void addInt(int value) {
        if (pending.length - size < Integer.BYTES) {
            digestPending();
        }
        pending[size++] = (byte) (value >> 24);
        pending[size++] = (byte) (value >> 16);
        pending[size++] = (byte) (value >> 8);
        pending[size++] = (byte) value;
    }

    private void addBytes(byte[] bytes) {
        if (bytes.length > pending.length - size) {
            digestPending();
        }
        if (bytes.length > pending.length) {
            digest.update(bytes);
        } else {
            System.arraycopy(bytes, 0, pending, size, bytes.length);
            size += bytes.length;
        }
    }

    private void digestPending() {
        digest.update(pending, 0, size);
        size = 0;
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
