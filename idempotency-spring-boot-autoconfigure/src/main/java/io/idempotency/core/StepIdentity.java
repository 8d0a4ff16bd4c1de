package io.idempotency.core;

import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What tells the steps of one operation apart: a name, and an item where one step is done for each of several. The item may
 * be personal, so it is neither shown nor stored; only the SHA-256 digest of both is.
 */
public final class StepIdentity extends Digested {

    /** The number of bytes of every digest. */
    public static final int DIGEST_LENGTH = BYTES;

    /** The longest name. */
    public static final int MAX_NAME_LENGTH = 255;

    private final String name;

    private StepIdentity(String name, byte[] digest) {
        super(ByteBuffer.wrap(digest));
        this.name = name;
    }

    /**
     * Names a step.
     *
     * @param name renaming a step makes it a new one; at most {@value #MAX_NAME_LENGTH} characters
     * @param item which of several; {@code null} where there is one
     * @throws IllegalArgumentException if the name is blank, too long or holds what cannot be stored as text
     */
    public static StepIdentity of(String name, @Nullable String item) {
        IdempotencyKey.requireText("name of a step", name, MAX_NAME_LENGTH);
        return new StepIdentity(name, FramedDigest.sha256(name, item));
    }

    /**
     * Restores what a store holds.
     *
     * @throws IllegalArgumentException if the digest does not have {@value #DIGEST_LENGTH} bytes
     */
    public static StepIdentity ofDigest(String name, byte[] digest) {
        if (digest.length != DIGEST_LENGTH) {
            throw new IllegalArgumentException("A step has " + DIGEST_LENGTH + " bytes, not " + digest.length);
        }
        return new StepIdentity(name, digest);
    }

    /** Returns the name, for messages; it takes no part in equality beside its digest. */
    public String name() {
        return name;
    }

    /** Returns a copy of the {@value #DIGEST_LENGTH} bytes. */
    public byte[] digest() {
        return digestBytes();
    }

    /**
     * Returns the key of this step in an operation: a UUID of version 8, as in RFC 9562, appendix B.2. Most APIs take one, and
     * many take nothing longer.
     */
    UUID keyIn(Identity operation) {
        ByteBuffer bytes = ByteBuffer.wrap(
                FramedDigest.sha256("step", operation.hex(), HexFormat.of().formatHex(digestBytes())));
        long mostSignificant = (bytes.getLong() & 0xFFFF_FFFF_FFFF_0FFFL) | 0x8000L;
        long leastSignificant = (bytes.getLong() & 0x3FFF_FFFF_FFFF_FFFFL) | 0x8000_0000_0000_0000L;
        return new UUID(mostSignificant, leastSignificant);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof StepIdentity that && hasDigestOf(that);
    }

    @Override
    public String toString() {
        return name + "#" + shortHex();
    }
}
