package io.idempotency.core;

import java.nio.ByteBuffer;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * What a store looks a record up by: the SHA-256 digest of namespace, operation, scope and key.
 *
 * <p>The parts are length-framed before they are hashed, so that no two different lists of parts give the same bytes,
 * and an absent scope differs from an empty one. Two identities are equal when their digests are; the name of the
 * operation travels along for messages and listeners only. {@link #toString()} is safe to log: it shows the operation and
 * the first eight hexadecimal digits of the digest, never the key.
 */
public final class Identity extends Digested {

    /** The number of bytes of every digest. */
    public static final int DIGEST_LENGTH = BYTES;

    private final String operation;

    private Identity(String operation, byte[] digest) {
        super(ByteBuffer.wrap(digest));
        this.operation = operation;
    }

    /**
     * Derives the identity of one intent.
     *
     * @param scope who is calling; {@code null} where the operation has no scope
     */
    public static Identity of(String namespace, String operation, @Nullable String scope, String key) {
        return new Identity(operation, FramedDigest.sha256(namespace, operation, scope, key));
    }

    /**
     * Restores an identity from a digest that a store holds.
     *
     * @throws IllegalArgumentException if the digest does not have {@value #DIGEST_LENGTH} bytes
     */
    public static Identity ofDigest(String operation, byte[] digest) {
        if (digest.length != DIGEST_LENGTH) {
            throw new IllegalArgumentException("An identity has " + DIGEST_LENGTH + " bytes, not " + digest.length);
        }
        return new Identity(operation, digest);
    }

    /** Returns the name of the operation, for messages and listeners; it takes no part in equality. */
    public String operation() {
        return operation;
    }

    /** Returns a copy of the {@value #DIGEST_LENGTH} bytes. */
    public byte[] digest() {
        return digestBytes();
    }

    /** Returns the digest as 64 hexadecimal digits in lower case. */
    public String hex() {
        return HexFormat.of().formatHex(digestBytes());
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Identity that && hasDigestOf(that);
    }

    @Override
    public String toString() {
        return operation + "#" + shortHex();
    }
}
