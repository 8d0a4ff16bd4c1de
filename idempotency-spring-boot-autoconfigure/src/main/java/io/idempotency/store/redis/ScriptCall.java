package io.idempotency.store.redis;

import io.idempotency.core.Fingerprint;
import io.idempotency.core.Outcome;
import io.idempotency.core.OwnerToken;
import io.idempotency.core.StepIdentity;
import io.idempotency.core.StepRecord;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The key and the arguments of one script, as bytes all the way. Immutable, and equal to itself only. */
final class ScriptCall {

    private final List<byte[]> keyAndArguments;

    ScriptCall(byte[] key) {
        this(List.of(key));
    }

    private ScriptCall(List<byte[]> keyAndArguments) {
        this.keyAndArguments = keyAndArguments;
    }

    ScriptCall with(OwnerToken owner) {
        return with(owner.toBytes());
    }

    ScriptCall with(Fingerprint fingerprint) {
        return with(fingerprint.bytes());
    }

    ScriptCall with(Outcome outcome) {
        return with(outcome.toBytes());
    }

    /** With milliseconds, at least one: to the scripts 0 means for ever. */
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

    /** With an argument that says nothing. */
    ScriptCall withNothing() {
        return with(new byte[0]);
    }

    private ScriptCall with(byte[] argument) {
        List<byte[]> longer = new ArrayList<>(keyAndArguments);
        longer.add(argument);
        return new ScriptCall(longer);
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
