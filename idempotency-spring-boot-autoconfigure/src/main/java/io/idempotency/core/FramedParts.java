package io.idempotency.core;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import org.jspecify.annotations.Nullable;

/** The parts of one {@linkplain FramedDigest digest}, as far as they are added. Not thread-safe. */
final class FramedParts {

    /** The length that stands for an absent part, so that it differs from an empty one. */
    private static final int ABSENT = -1;

    /** From here downwards, lengths count the units of texts that have no UTF-8 form. */
    private static final int MALFORMED = -2;

    /** Longer parts are digested by themselves, so that nothing large is copied. */
    private static final int LONGEST_PENDING = 512;

    private final MessageDigest digest;

    /** Short parts wait here: to digest many of them at once costs less. */
    private final byte[] pending;

    private int size;

    /**
     * @param digest begun anew, whatever was added to it before
     * @param length how many bytes there will be about
     */
    FramedParts(MessageDigest digest, long length) {
        digest.reset();
        this.digest = digest;
        this.pending = new byte[(int) Math.min(length, LONGEST_PENDING)];
    }

    void add(@Nullable String text) {
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

    void add(byte[] part) {
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

    /** Returns the digest of what was added; to be asked once, at the end. */
    byte[] digest() {
        digestPending();
        return digest.digest();
    }
}
