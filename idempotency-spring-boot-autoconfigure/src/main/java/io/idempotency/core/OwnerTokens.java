package io.idempotency.core;

import java.nio.ByteBuffer;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Makes owner tokens of random values, which are drawn for many tokens at once: to draw those of each by itself takes as
 * long as a claim in memory. Values that nobody has used within a tenth of a second are dropped, as the JVM does it with its
 * own, so that two JVMs that were restored from one image do not use the same ones. Thread-safe.
 */
final class OwnerTokens {

    private static final int TOKENS_OF_A_DRAW = 64;

    private static final int LONGEST_KEPT_MILLIS = 100;

    private static final int LENGTH = 2 * Long.BYTES;

    private final Consumer<byte[]> random;

    private final LongSupplier millis;

    private volatile Draw newest;

    /**
     * @param random fills an array with bytes that nobody can guess
     * @param millis the time of day
     */
    OwnerTokens(Consumer<byte[]> random, LongSupplier millis) {
        this.random = random;
        this.millis = millis;
        this.newest = draw(millis.getAsLong());
    }

    private Draw draw(long now) {
        byte[] values = new byte[TOKENS_OF_A_DRAW * LENGTH];
        random.accept(values);
        return new Draw(ByteBuffer.wrap(values), now, new AtomicInteger());
    }

    /** Returns a token that nobody else has. */
    OwnerToken next() {
        long now = millis.getAsLong();
        OwnerToken token = newest.take(now);
        while (token == null) {
            Draw draw = draw(now);
            newest = draw;
            token = draw.take(now);
        }
        return token;
    }

    /** @param taken how many tokens were asked for, which may be more than there are */
    private record Draw(ByteBuffer values, long drawnAt, AtomicInteger taken) {

        /** Returns the next token; {@code null} where none is left, or the draw is too old. */
        @Nullable
        OwnerToken take(long now) {
            if (Math.abs(now - drawnAt) > LONGEST_KEPT_MILLIS) {
                return null;
            }
            int index = taken.getAndIncrement();
            return index < TOKENS_OF_A_DRAW ? token(index * LENGTH) : null;
        }

        private OwnerToken token(int start) {
            return new OwnerToken(new UUID(values.getLong(start), values.getLong(start + Long.BYTES)));
        }
    }
}
