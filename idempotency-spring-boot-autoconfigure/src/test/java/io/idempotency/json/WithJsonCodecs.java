package io.idempotency.json;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.idempotency.core.Outcome;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import org.springframework.core.ParameterizedTypeReference;

/** Codecs of types, and what several tests record by them. */
abstract class WithJsonCodecs {

    static final int MAX_BYTES = 1_000;

    final JsonOutcomeCodecFactory codecs = new JsonOutcomeCodecFactory(MAX_BYTES);

    static Outcome stored(String json) {
        return new Outcome(Outcome.Kind.VALUE, "json/1", json.getBytes(StandardCharsets.UTF_8));
    }

    static Type type(ParameterizedTypeReference<?> reference) {
        return reference.getType();
    }

    record Order(String id, BigDecimal amount, List<LocalDate> days) {}

    record Envelope<T>(T content, Map<String, Integer> counts) {}

    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME)
    @JsonSubTypes({@JsonSubTypes.Type(Card.class), @JsonSubTypes.Type(Transfer.class)})
    sealed interface Payment permits Card, Transfer {}

    record Card(String number) implements Payment {}

    record Transfer(String account) implements Payment {}
}
