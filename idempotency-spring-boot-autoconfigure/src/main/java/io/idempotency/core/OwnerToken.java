package io.idempotency.core;

import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.UUID;

/**
 * Names the one holder of a claim: 128 bits that nobody else has, since they are random or follow random ones. Every call
 * makes its own, and every write after the claim shows it.
 *
 * @param mostSignificant the first 64 bits
 * @param leastSignificant the last 64 bits
 */
public record OwnerToken(long mostSignificant, long leastSignificant) {

    private static final int LENGTH = 2 * Long.BYTES;

    private static final OwnerTokens TOKENS = new OwnerTokens(new SecureRandom()::nextLong, System::currentTimeMillis);

    /** Makes a token that nobody else has. */
    public static OwnerToken random() {
        return TOKENS.next();
    }

    /**
     * Restores a token from the bytes that a store holds.
     *
     * @throws IllegalArgumentException if there are not 16 bytes
     */
    public static OwnerToken ofBytes(byte[] bytes) {
        if (bytes.length != LENGTH) {
            throw new IllegalArgumentException("An owner token has " + LENGTH + " bytes, not " + bytes.length);
        }
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        return new OwnerToken(buffer.getLong(), buffer.getLong());
    }

    /** Returns the 16 bytes that stores keep. */
    public byte[] toBytes() {
        return ByteBuffer.allocate(LENGTH)
                .putLong(mostSignificant)
                .putLong(leastSignificant)
                .array();
    }

    @Override
    public String toString() {
        return new UUID(mostSignificant, leastSignificant).toString();
    }
}
