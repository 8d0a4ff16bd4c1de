package io.idempotency.json;

import io.idempotency.core.Outcome;
import io.idempotency.core.OutcomeCodecException;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.exc.InvalidDefinitionException;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.json.JsonMapper;

/**
 * Writes and reads the values of one type. Messages of Jackson quote the value, so none of them is passed on, not even as
 * a cause. Whatever a getter or a constructor throws counts as no JSON: the work has happened, and its outcome is one that
 * cannot be replayed.
 */
final class JsonValues {

    private final JsonMapper mapper;

    private final JavaType type;

    private final int maxBytes;

    JsonValues(JsonMapper mapper, JavaType type, int maxBytes) {
        this.mapper = mapper;
        this.type = type;
        this.maxBytes = maxBytes;
    }

    /**
     * Writes a value.
     *
     * @throws OutcomeCodecException if the JSON is too large or would not give an equal value back
     */
    byte[] write(Object value) {
        byte[] content = json(value, true);
        Object readBack = read(content);
        // The declared type writes what it knows; the value itself may be of a subclass that holds more.
        if (!Arrays.equals(json(value, false), json(readBack, false)) && !Objects.deepEquals(value, readBack)) {
            throw new OutcomeCodecException(
                    "A value of type %s does not come back from its JSON as it was".formatted(type.toCanonical()),
                    null);
        }
        return content;
    }

    private byte[] json(Object value, boolean declaredType) {
        LimitedOutput output = new LimitedOutput(maxBytes);
        try {
            (declaredType ? mapper.writerFor(type) : mapper.writer()).writeValue(output, value);
            return output.toByteArray();
        } catch (RuntimeException failure) {
            if (output.isFull()) {
                throw new OutcomeCodecException(
                        "A value of type %s has more than %d bytes of JSON".formatted(type.toCanonical(), maxBytes),
                        null);
            }
            throw failed("written as", failure);
        }
    }

    /**
     * Reads a value.
     *
     * @throws OutcomeCodecException if the JSON is not one of the type
     */
    Object read(byte[] content) {
        try {
            return mapper.readValue(content, type);
        } catch (RuntimeException failure) {
            throw failed("read from", failure);
        }
    }

    /**
     * Gives back {@code null}.
     *
     * @throws OutcomeCodecException if the type has no {@code null}
     */
    @Nullable
    Object absent() {
        if (type.isPrimitive() && !type.hasRawClass(void.class)) {
            throw new OutcomeCodecException("What is stored is no " + type.toCanonical(), null);
        }
        return null;
    }

    /**
     * Does nothing for an outcome of this format.
     *
     * @throws OutcomeCodecException for an outcome of another one
     */
    void requireFormat(String format, Outcome outcome) {
        if (!outcome.format().equals(format)) {
            throw new OutcomeCodecException(
                    "What is stored has the format %s, but a value of type %s has %s"
                            .formatted(outcome.format(), type.toCanonical(), format),
                    null);
        }
    }

    private OutcomeCodecException failed(String verb, RuntimeException failure) {
        return new OutcomeCodecException(
                "A value of type %s cannot be %s JSON (%s%s)"
                        .formatted(type.toCanonical(), verb, failure.getClass().getSimpleName(), culprit(failure)),
                null);
    }

    private static String culprit(RuntimeException failure) {
        if (failure instanceof InvalidDefinitionException definition && definition.getType() != null) {
            return " for " + definition.getType().toCanonical();
        }
        if (failure instanceof MismatchedInputException input && input.getTargetType() != null) {
            return " for " + input.getTargetType().getName();
        }
        return "";
    }
}
