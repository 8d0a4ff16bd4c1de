package io.idempotency.core;

import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.UUID;

/**
 * Names the one holder of a claim. Every call makes its own, and every write after the claim shows it.
 *
 * @param value random, so that no holder can be guessed or met twice
 */
public record OwnerToken(UUID value) {

    private static final OwnerTokens TOKENS = new OwnerTokens(new SecureRandom()::nextBytes, System::currentTimeMillis);

    /** Makes a token that nobody else has. */
    public static OwnerToken random() {
        return TOKENS.next();
    }

    /** Returns the 16 bytes that stores keep. */
    public byte[] toBytes() {
        return ByteBuffer.allocate(2 * Long.BYTES)
                .putLong(value.getMostSignificantBits())
                .putLong(value.getLeastSignificantBits())
                .array();
    }

    @Override
    public String toString() {
        return value.toString();
    }
}
