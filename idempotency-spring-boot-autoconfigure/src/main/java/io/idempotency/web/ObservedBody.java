package io.idempotency.web;

import io.idempotency.core.FramedDigest;
import java.io.ByteArrayOutputStream;
import java.security.MessageDigest;
import org.jspecify.annotations.Nullable;

/**
 * What has been read of the body of a request, for its fingerprint. It begins by keeping the bytes, since a filter may
 * read them before it is known what they are needed for, and never keeps more than the limit.
 */
final class ObservedBody {

    private final int limit;

    private ByteArrayOutputStream kept = new ByteArrayOutputStream(0);

    private @Nullable MessageDigest digest;

    private boolean ignored;

    private long length;

    ObservedBody(int limit) {
        this.limit = limit;
    }

    void add(byte[] bytes, int offset, int count) {
        if (ignored) {
            return;
        }
        length += count;
        if (length > limit) {
            forget();
        } else if (digest != null) {
            digest.update(bytes, offset, count);
        } else {
            kept.write(bytes, offset, count);
        }
    }

    /** From now on the bytes are digested and no longer kept. */
    void keepDigestOnly() {
        digest = digested();
        forget();
    }

    private MessageDigest digested() {
        MessageDigest started = FramedDigest.newSha256();
        started.update(kept.toByteArray());
        return started;
    }

    /** Nobody will ask. */
    void ignore() {
        ignored = true;
        forget();
    }

    /** Lets go of the bytes: one that is only reset keeps its memory. */
    private void forget() {
        kept = new ByteArrayOutputStream(0);
    }

    boolean isIgnored() {
        return ignored;
    }

    boolean isEmpty() {
        return length == 0;
    }

    boolean isTooLarge() {
        return length > limit;
    }

    /** Returns the bytes, unless only their digest is kept. */
    byte[] bytes() {
        return kept.toByteArray();
    }

    /** Returns the digest of the bytes; to be asked once, at the end. */
    byte[] digest() {
        return (digest == null ? digested() : digest).digest();
    }
}
