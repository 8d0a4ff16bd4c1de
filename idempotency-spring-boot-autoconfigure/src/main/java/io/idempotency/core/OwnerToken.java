package io.idempotency.core;

import java.util.UUID;

/**
 * Names the one holder of a claim. Every call makes its own, and every write after the claim shows it.
 *
 * @param value random, so that no holder can be guessed or met twice
 */
public record OwnerToken(UUID value) {

    /** Makes a token that nobody else has. */
    public static OwnerToken random() {
        return new OwnerToken(UUID.randomUUID());
    }

    @Override
    public String toString() {
        return value.toString();
    }
}
