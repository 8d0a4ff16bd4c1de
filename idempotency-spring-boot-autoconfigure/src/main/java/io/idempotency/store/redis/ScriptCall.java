package io.idempotency.store.redis;

import io.idempotency.core.Fingerprint;
import io.idempotency.core.Outcome;
import io.idempotency.core.OwnerToken;
import io.idempotency.core.StepIdentity;
import io.idempotency.core.StepRecord;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The key and the arguments of one script, as bytes all the way. */
final class ScriptCall {

    private final List<byte[]> keyAndArguments = new ArrayList<>();

    ScriptCall(byte[] key) {
        keyAndArguments.add(key);
    }

    ScriptCall with(OwnerToken owner) {
        return with(ByteBuffer.allocate(2 * Long.BYTES)
                .putLong(owner.value().getMostSignificantBits())
                .putLong(owner.value().getLeastSignificantBits())
                .array());
    }

    ScriptCall with(Fingerprint fingerprint) {
        return with(fingerprint.bytes());
    }

    ScriptCall with(Outcome outcome) {
        return with(outcome.toBytes());
    }

    /** Adds milliseconds, at least one: to the scripts 0 means for ever. */
    ScriptCall with(Duration duration) {
        return with(Math.max(1, duration.toMillis()));
    }

    ScriptCall with(long number) {
        return with(Long.toString(number).getBytes(StandardCharsets.US_ASCII));
    }

    ScriptCall with(StepIdentity step) {
        return with(StepFields.name(step));
    }

    ScriptCall with(StepRecord step) {
        return with(step.step()).with(StepFields.value(step));
    }

    /** Adds an argument that says nothing. */
    ScriptCall withNothing() {
        return with(new byte[0]);
    }

    private ScriptCall with(byte[] argument) {
        keyAndArguments.add(argument);
        return this;
    }

    /** The only key, as client libraries want it. */
    byte[][] keys() {
        return new byte[][] {keyAndArguments.get(0)};
    }

    byte[][] arguments() {
        return keyAndArguments.subList(1, keyAndArguments.size()).toArray(byte[][]::new);
    }

    byte[][] keyAndArguments() {
        return keyAndArguments.toArray(byte[][]::new);
    }
}
