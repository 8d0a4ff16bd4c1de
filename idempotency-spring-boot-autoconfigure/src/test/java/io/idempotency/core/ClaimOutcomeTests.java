package io.idempotency.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClaimOutcomeTests {

    /** Who waits for that long and asks again must not do so without a pause. */
    @ParameterizedTest
    @ValueSource(longs = {0, -1})
    void aRemainingLeaseThatNobodyKnowsIsASecond(long milliseconds) {
        assertThat(new ClaimOutcome.InProgress(Duration.ofMillis(milliseconds)).remainingLease())
                .isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void aRemainingLeaseIsToldHoweverShortItIs() {
        assertThat(new ClaimOutcome.InProgress(Duration.ofNanos(1)).remainingLease())
                .isEqualTo(Duration.ofNanos(1));
    }
}
