package io.idempotency.json;

import io.idempotency.core.OutcomeCodec;
import io.idempotency.core.OutcomeCodecFactory;
import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.json.JsonMapper;

/**
 * Records values as JSON, typed by what the caller says and never by what is stored.
 *
 * <p>A value must come back equal: same order of maps and sets, same scale of numbers, same offset of times. What would
 * not is refused: a type from which this is known when its codec is asked for, a value when it is encoded. {@code null} is
 * recorded as such, also where the type is an {@link java.util.Optional}. A {@code ResponseEntity} is recorded with status
 * and headers.
 *
 * <p>A class may gain and lose properties while outcomes of it are stored: unknown ones are ignored, missing ones are
 * {@code null} or zero. Thread-safe.
 */
public final class JsonOutcomeCodecFactory implements OutcomeCodecFactory {

    private static final String RESPONSE_ENTITY = "org.springframework.http.ResponseEntity";

    private final JsonMapper mapper = JsonMappers.forOutcomes();

    private final RecordableTypes recordableTypes = new RecordableTypes(mapper);

    private final int maxBytes;

    /**
     * @param maxBytes the size of the largest JSON that is recorded
     * @throws IllegalArgumentException if the size is not positive
     */
    public JsonOutcomeCodecFactory(int maxBytes) {
        if (maxBytes <= 0) {
            throw new IllegalArgumentException("The largest outcome has " + maxBytes + " bytes, but must have some");
        }
        this.maxBytes = maxBytes;
    }

    @Override
    public OutcomeCodec<@Nullable Object> codecFor(Type type) {
        JavaType valueType = mapper.constructType(type);
        if (valueType.getRawClass().getName().equals(RESPONSE_ENTITY)) {
            JavaType bodyType = valueType.containedTypeOrUnknown(0);
            recordableTypes.require(bodyType);
            return new ResponseEntityOutcomeCodec(new JsonValues(
                    mapper,
                    mapper.getTypeFactory().constructParametricType(RecordedResponse.class, bodyType),
                    maxBytes));
        }
        recordableTypes.require(valueType);
        return new JsonOutcomeCodec(new JsonValues(mapper, valueType, maxBytes));
    }
}
