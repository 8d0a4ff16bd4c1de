package io.idempotency.json;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The stored layout of a {@code ResponseEntity}. */
record RecordedResponse<T>(
        int status,
        Map<String, List<String>> headers,
        @Nullable T body) {}
