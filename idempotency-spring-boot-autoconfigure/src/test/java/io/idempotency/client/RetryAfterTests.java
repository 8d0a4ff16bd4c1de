package io.idempotency.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RetryAfterTests {

    private final InstantSource clock = InstantSource.fixed(Instant.parse("2026-11-06T08:49:30Z"));

    @ParameterizedTest
    @CsvSource({"0, 1", "1, 1", "30, 30", "' 7 ', 7"})
    void secondsAreAtLeastOne(String value, long seconds) {
        assertThat(RetryAfter.parse(value, clock)).contains(Duration.ofSeconds(seconds));
    }

    @ParameterizedTest
    @CsvSource({"'Fri, 06 Nov 2026 08:49:37 GMT', 7", "'Fri, 06 Nov 2026 08:49:00 GMT', 1"})
    void aDateIsTakenByTheClock(String value, long seconds) {
        assertThat(RetryAfter.parse(value, clock)).contains(Duration.ofSeconds(seconds));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "soon", "-1", "1.5", "99999999999999999999", "2026-11-06T08:49:37Z"})
    void whatIsNotUnderstoodSaysNothing(String value) {
        assertThat(RetryAfter.parse(value, clock)).isEmpty();
    }

    @Test
    void withoutAHeaderNothingIsSaid() {
        assertThat(RetryAfter.parse(null, clock)).isEmpty();
    }
}
