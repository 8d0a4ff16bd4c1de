package io.idempotency.core;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A versioned digest of what was asked: the same identity with another fingerprint is misuse of the key, never a replay.
 *
 * <p>The first byte tells how the digest was taken. A change in how fingerprints are taken gets a new version, so that
 * it can be told from a changed request.
 */
public final class Fingerprint extends Digested {

    /** The number of bytes of every fingerprint: one for the version, 32 for the digest. */
    public static final int LENGTH = 1 + BYTES;

    private static final byte VERSION_NONE = 0;

    private static final byte VERSION_SHA_256 = 1;

    private static final Fingerprint NONE = new Fingerprint(VERSION_NONE, ByteBuffer.allocate(BYTES));

    private final byte version;

    private Fingerprint(byte version, ByteBuffer digest) {
        super(digest);
        this.version = version;
    }

    /** The fingerprint of an operation that does not compare what was asked: it equals itself only. */
    public static Fingerprint none() {
        return NONE;
    }

    /** Takes the fingerprint of a list of byte strings, each framed by its length. */
    public static Fingerprint of(byte[]... parts) {
        return ofDigest(FramedDigest.sha256(parts));
    }

    /** Takes the fingerprint of a list of texts, each framed by its length. */
    public static Fingerprint of(String... parts) {
        return ofDigest(FramedDigest.sha256(parts));
    }

    /**
     * Restores a fingerprint from the bytes that a store holds.
     *
     * @throws IllegalArgumentException if there are not {@value #LENGTH} bytes, or their version is not known: such a
     *     fingerprint differs from every other, but that does not mean that something else was asked
     */
    public static Fingerprint ofBytes(byte[] bytes) {
        if (bytes.length != LENGTH) {
            throw new IllegalArgumentException("A fingerprint has " + LENGTH + " bytes, not " + bytes.length);
        }
        if (bytes[0] != VERSION_NONE && bytes[0] != VERSION_SHA_256) {
            throw new IllegalArgumentException("There are no fingerprints of version " + bytes[0]);
        }
        return new Fingerprint(bytes[0], ByteBuffer.wrap(bytes, 1, BYTES));
    }

    private static Fingerprint ofDigest(byte[] digest) {
        return new Fingerprint(VERSION_SHA_256, ByteBuffer.wrap(digest));
    }

    /** Returns a copy of the {@value #LENGTH} bytes. */
    public byte[] bytes() {
        return putDigest(ByteBuffer.allocate(LENGTH).put(version)).array();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Fingerprint that && version == that.version && hasDigestOf(that);
    }

    @Override
    public String toString() {
        return version == VERSION_NONE ? "none" : "v" + version + ":" + shortHex();
    }
}
