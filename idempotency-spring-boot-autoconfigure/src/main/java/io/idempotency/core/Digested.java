package io.idempotency.core;

import java.nio.ByteBuffer;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * What is known by a SHA-256. Its 32 bytes are four numbers here, since an array would be an object of its own for each, which
 * a garbage collector has to copy.
 */
abstract class Digested {

    /** The number of bytes of every digest. */
    static final int BYTES = 32;

    private final long first;

    private final long second;

    private final long third;

    private final long fourth;

    /** @param bytes is read up to the end of the digest */
    Digested(ByteBuffer bytes) {
        this.first = bytes.getLong();
        this.second = bytes.getLong();
        this.third = bytes.getLong();
        this.fourth = bytes.getLong();
    }

    /** Says whether the digests are the same. It takes as long whatever differs, so that nobody learns how much does. */
    final boolean hasDigestOf(Digested other) {
        return ((first ^ other.first) | (second ^ other.second) | (third ^ other.third) | (fourth ^ other.fourth)) == 0;
    }

    final ByteBuffer putDigest(ByteBuffer target) {
        return target.putLong(first).putLong(second).putLong(third).putLong(fourth);
    }

    final byte[] digestBytes() {
        return putDigest(ByteBuffer.allocate(BYTES)).array();
    }

    /** Returns the first eight hexadecimal digits. */
    final String shortHex() {
        return HexFormat.of().toHexDigits(firstBits());
    }

    private int firstBits() {
        return (int) (first >>> Integer.SIZE);
    }

    @Override
    public abstract boolean equals(@Nullable Object other);

    @Override
    public final int hashCode() {
        return firstBits();
    }
}
