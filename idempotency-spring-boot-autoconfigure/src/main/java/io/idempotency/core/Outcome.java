package io.idempotency.core;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * What is recorded when an operation ended, in the form in which it is stored.
 *
 * @param kind what the content stands for
 * @param format names the layout of the content, for example {@code json/1}; never the name of a class to instantiate
 * @param content the recorded bytes; not copied, so neither side may change them
 */
@SuppressWarnings("ArrayRecordComponent") // outcomes are carried, not compared
public record Outcome(Kind kind, String format, byte[] content) {

    private static final byte LAYOUT = 1;

    private static final int MAX_FORMAT_LENGTH = 64;

    /** What an outcome stands for. The codes are part of the stored layout and never change their meaning. */
    public enum Kind {

        /** A value or an HTTP response. */
        VALUE((byte) 'V'),

        /** A failure that every retry gets again. */
        FAILURE((byte) 'F'),

        /** The operation ended and cannot be replayed; the content says why. */
        TOMBSTONE((byte) 'T'),

        /** Bytes that this version cannot read. Never recorded, only read. */
        UNREADABLE((byte) 0);

        private final byte code;

        Kind(byte code) {
            this.code = code;
        }
    }

    public Outcome {
        if (format.length() > MAX_FORMAT_LENGTH) {
            throw new IllegalArgumentException("A format has at most " + MAX_FORMAT_LENGTH + " characters");
        }
    }

    /** An outcome that is known to have happened and cannot be replayed. */
    public static Outcome tombstone(String reason) {
        return new Outcome(Kind.TOMBSTONE, "text/1", reason.getBytes(StandardCharsets.UTF_8));
    }

    /** Returns the content as text, for the kinds whose content is text. */
    public String text() {
        return new String(content, StandardCharsets.UTF_8);
    }

    /** Returns the bytes for a store: layout version, kind, length of the format, format, content. */
    public byte[] toBytes() {
        byte[] name = format.getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(3 + name.length + content.length)
                .put(LAYOUT)
                .put(kind.code)
                .put((byte) name.length)
                .put(name)
                .put(content)
                .array();
    }

    /**
     * Reads what {@link #toBytes()} wrote. Bytes that make no sense, or that a newer version wrote, give an outcome of
     * kind {@link Kind#UNREADABLE} rather than an exception: the operation did end, and must not run again.
     */
    public static Outcome ofBytes(byte[] bytes) {
        if (bytes.length < 3 || bytes[0] != LAYOUT || bytes[2] < 0 || bytes.length < 3 + bytes[2]) {
            return unreadable(bytes);
        }
        for (Kind kind : Kind.values()) {
            if (kind.code == bytes[1] && kind != Kind.UNREADABLE) {
                ByteBuffer buffer = ByteBuffer.wrap(bytes).position(3);
                byte[] name = new byte[bytes[2]];
                byte[] content = new byte[bytes.length - 3 - name.length];
                buffer.get(name).get(content);
                String format = new String(name, StandardCharsets.UTF_8);
                return format.length() > MAX_FORMAT_LENGTH ? unreadable(bytes) : new Outcome(kind, format, content);
            }
        }
        return unreadable(bytes);
    }

    private static Outcome unreadable(byte[] bytes) {
        return new Outcome(Kind.UNREADABLE, "unknown", bytes);
    }

    @Override
    public String toString() {
        return "Outcome[" + kind + ", " + format + ", " + content.length + " bytes]";
    }
}
