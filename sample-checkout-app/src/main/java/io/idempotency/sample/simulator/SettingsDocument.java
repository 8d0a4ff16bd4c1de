package io.idempotency.sample.simulator;

import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** All settings as a request writes them. Reading them collects what is wrong with each. */
final class SettingsDocument {

    private final Map<String, String> errors = new TreeMap<>();

    private final JsonNode json;

    SettingsDocument(JsonNode json) {
        this.json = json;
    }

    /** Reads them. What comes back means nothing if there are {@linkplain #errors() errors}. */
    Settings read() {
        return new Settings(
                duration("invoiceLatency", Duration.ZERO),
                duration("mailLatency", Duration.ZERO),
                count("mailFailures"),
                count("lostReplies"),
                duration("webhookTimeout", Duration.ofMillis(1)),
                duration("webhookBackOff", Duration.ZERO),
                count("webhookAttempts"));
    }

    /** Returns what is wrong, by the names of the fields. */
    Map<String, String> errors() {
        return errors;
    }

    private Duration duration(String field, Duration least) {
        return value(field, Duration.class, least, "must be a time such as PT1.5S, and not less than " + least);
    }

    private int count(String field) {
        return value(field, Integer.class, 0, "must be a number, and not less than 0");
    }

    private <T extends Comparable<T>> T value(String field, Class<T> type, T least, String rule) {
        JsonNode value = json.path(field);
        if (value.isMissingNode() || value.isNull()) {
            errors.put(field, "is missing");
            return least;
        }
        try {
            T read = JsonMapper.shared().treeToValue(value, type);
            if (read.compareTo(least) >= 0) {
                return read;
            }
        } catch (JacksonException malformed) {
            // told below, like a value that is too small
        }
        errors.put(field, rule);
        return least;
    }
}
