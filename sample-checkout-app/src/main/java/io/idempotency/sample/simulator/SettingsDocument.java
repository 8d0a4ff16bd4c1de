package io.idempotency.sample.simulator;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;

/** All settings as a request writes them. Reading them collects what is wrong with each. */
final class SettingsDocument {

    private static final Duration LONGEST = Duration.ofHours(Settings.MOST_HOURS);

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
        return value(
                field,
                least,
                LONGEST,
                SettingsDocument::duration,
                "must be a time such as PT1.5S, from " + least + " to " + LONGEST);
    }

    private int count(String field) {
        return value(
                field,
                0,
                Settings.MOST,
                SettingsDocument::wholeNumber,
                "must be a whole number from 0 to " + Settings.MOST);
    }

    private <T extends Comparable<T>> T value(
            String field, T least, T most, Function<JsonNode, Optional<T>> reader, String rule) {
        JsonNode value = json.path(field);
        if (value.isMissingNode() || value.isNull()) {
            errors.put(field, "is missing");
            return least;
        }
        Optional<T> read = reader.apply(value).filter(it -> it.compareTo(least) >= 0 && it.compareTo(most) <= 0);
        if (read.isEmpty()) {
            errors.put(field, rule);
        }
        return read.orElse(least);
    }

    private static Optional<Duration> duration(JsonNode value) {
        try {
            return Optional.of(value).filter(JsonNode::isString).map(text -> Duration.parse(text.asString()));
        } catch (DateTimeParseException malformed) {
            return Optional.empty();
        }
    }

    /** Takes no fraction, which Jackson would cut off, and no text. */
    private static Optional<Integer> wholeNumber(JsonNode value) {
        return Optional.of(value)
                .filter(number -> number.isIntegralNumber() && number.canConvertToInt())
                .map(JsonNode::asInt);
    }
}
