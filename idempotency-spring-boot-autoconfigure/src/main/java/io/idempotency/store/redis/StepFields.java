package io.idempotency.store.redis;

import io.idempotency.core.Fingerprint;
import io.idempotency.core.IdempotencyStoreException;
import io.idempotency.core.Outcome;
import io.idempotency.core.StepIdentity;
import io.idempotency.core.StepRecord;
import io.idempotency.core.StepState;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The steps of a record as fields of its hash. The name of a field is {@code step:} and the digest of the step; its value
 * is the layout, the state, the attempt, the fingerprint, the name of the step after its length, and the result.
 */
final class StepFields {

    private static final byte[] PREFIX = "step:".getBytes(StandardCharsets.US_ASCII);

    private static final byte LAYOUT = 1;

    private static final int FIXED_LENGTH = 2 + Long.BYTES + Fingerprint.LENGTH + Short.BYTES;

    private StepFields() {}

    static byte[] name(StepIdentity step) {
        return ByteBuffer.allocate(PREFIX.length + StepIdentity.DIGEST_LENGTH)
                .put(PREFIX)
                .put(step.digest())
                .array();
    }

    static byte[] value(StepRecord step) {
        byte[] name = step.step().name().getBytes(StandardCharsets.UTF_8);
        byte[] result = step.result() == null ? new byte[0] : step.result().toBytes();
        return ByteBuffer.allocate(FIXED_LENGTH + name.length + result.length)
                .put(LAYOUT)
                .put((byte) step.state().code())
                .putLong(step.attempt())
                .put(step.fingerprint().bytes())
                .putShort((short) name.length)
                .put(name)
                .put(result)
                .array();
    }

    /**
     * Reads the steps at the end of a reply, from an element on.
     *
     * @throws IdempotencyStoreException if a newer version of this library wrote one that this one cannot judge
     */
    static List<StepRecord> read(ScriptReply reply, int first) {
        List<StepRecord> steps = new ArrayList<>();
        for (int index = first; index < reply.size(); index += 2) {
            try {
                steps.add(read(ByteBuffer.wrap(reply.bytes(index)), ByteBuffer.wrap(reply.bytes(index + 1))));
            } catch (IllegalArgumentException | BufferUnderflowException unknown) {
                throw new IdempotencyStoreException("A step was recorded by another version of this library", unknown);
            }
        }
        return steps;
    }

    private static StepRecord read(ByteBuffer name, ByteBuffer value) {
        bytes(name, PREFIX.length);
        byte layout = value.get();
        if (layout != LAYOUT) {
            throw new IllegalArgumentException("Steps are not laid out in the way " + layout);
        }
        StepState state = StepState.ofCode(value.get());
        long attempt = value.getLong();
        Fingerprint fingerprint = Fingerprint.ofBytes(bytes(value, Fingerprint.LENGTH));
        String text = new String(bytes(value, Short.toUnsignedInt(value.getShort())), StandardCharsets.UTF_8);
        Outcome result = state == StepState.DONE ? Outcome.ofBytes(bytes(value, value.remaining())) : null;
        return new StepRecord(
                StepIdentity.ofDigest(text, bytes(name, name.remaining())), state, fingerprint, attempt, result);
    }

    private static byte[] bytes(ByteBuffer buffer, int length) {
        byte[] bytes = new byte[length];
        buffer.get(bytes);
        return bytes;
    }
}
