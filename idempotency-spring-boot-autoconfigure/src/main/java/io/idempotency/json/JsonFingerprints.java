package io.idempotency.json;

import io.idempotency.core.Fingerprint;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * Takes fingerprints of values by their JSON: the order of the entries of maps and of the elements of sets does not
 * matter, every field does, also one that is never shown to clients. Thread-safe.
 */
public final class JsonFingerprints {

    private final JsonMapper mapper = JsonMappers.forFingerprints();

    /**
     * Takes the fingerprint of a list of values, in which {@code null} counts.
     *
     * @throws IllegalArgumentException if a value has no JSON form that tells its content; the message names its type
     */
    public Fingerprint of(@Nullable Object... values) {
        byte[][] parts = new byte[values.length][];
        for (int index = 0; index < values.length; index++) {
            parts[index] = json(values[index]);
        }
        return Fingerprint.of(parts);
    }

    private byte[] json(@Nullable Object value) {
        String type = value == null ? "null" : value.getClass().getName();
        if (value != null && RefusedTypes.problem(value.getClass()).isPresent()) {
            throw new IllegalArgumentException("A value of type " + type + " cannot be compared");
        }
        try {
            return mapper.writeValueAsBytes(value);
        } catch (RuntimeException unwritable) {
            // Its message quotes the value.
            throw new IllegalArgumentException("A value of type " + type + " cannot be written as JSON");
        }
    }
}
