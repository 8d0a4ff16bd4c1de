package io.idempotency.json;

import io.idempotency.core.Outcome;
import io.idempotency.core.OutcomeCodec;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ResponseEntity;

/** Records a response that is a return value: status, all headers, and the body as JSON. */
record ResponseEntityOutcomeCodec(JsonValues values) implements OutcomeCodec<@Nullable Object> {

    private static final String FORMAT = "json-response/1";

    private static final byte[] NULL = {};

    @Override
    public Outcome encode(@Nullable Object value) {
        return new Outcome(
                Outcome.Kind.VALUE, FORMAT, value == null ? NULL : values.write(recorded((ResponseEntity<?>) value)));
    }

    private static RecordedResponse<Object> recorded(ResponseEntity<?> response) {
        Map<String, List<String>> headers = new LinkedHashMap<>();
        response.getHeaders().forEach((name, texts) -> headers.put(name, List.copyOf(texts)));
        return new RecordedResponse<>(response.getStatusCode().value(), headers, response.getBody());
    }

    @Override
    @SuppressWarnings("NullAway") // it knows nullable type arguments in JSpecify mode only, which needs a newer JDK
    public @Nullable Object decode(Outcome outcome) {
        values.requireFormat(FORMAT, outcome);
        return outcome.content().length == 0 ? null : response((RecordedResponse<?>) values.read(outcome.content()));
    }

    private static ResponseEntity<?> response(RecordedResponse<?> recorded) {
        HttpHeaders headers = new HttpHeaders();
        recorded.headers().forEach(headers::addAll);
        return new ResponseEntity<>(recorded.body(), headers, HttpStatusCode.valueOf(recorded.status()));
    }
}
