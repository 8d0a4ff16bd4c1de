package io.idempotency.client;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.time.temporal.TemporalAccessor;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The header {@code Retry-After} of RFC 9110, section 10.2.3: a number of seconds or a date. */
final class RetryAfter {

    /** So that a server which says "now" again and again is not asked without pause. */
    private static final Duration SHORTEST = Duration.ofSeconds(1);

    private RetryAfter() {}

    /** Returns how long to wait, at least a second; empty where the header is absent or says nothing that is understood. */
    static Optional<Duration> parse(@Nullable String value, InstantSource clock) {
        return value == null ? Optional.empty() : delay(value.strip(), clock).map(RetryAfter::atLeastShortest);
    }

    private static Optional<Duration> delay(String value, InstantSource clock) {
        try {
            if (value.chars().allMatch(character -> character >= '0' && character <= '9')) {
                return Optional.of(Duration.ofSeconds(Long.parseLong(value)));
            }
            TemporalAccessor date = DateTimeFormatter.RFC_1123_DATE_TIME.parse(value);
            return Optional.of(Duration.between(clock.instant(), Instant.from(date)));
        } catch (NumberFormatException | DateTimeParseException notUnderstood) {
            return Optional.empty();
        }
    }

    private static Duration atLeastShortest(Duration delay) {
        return delay.compareTo(SHORTEST) < 0 ? SHORTEST : delay;
    }
}
