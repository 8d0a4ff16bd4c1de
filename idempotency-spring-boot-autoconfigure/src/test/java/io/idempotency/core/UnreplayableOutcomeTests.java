package io.idempotency.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An outcome that was recorded, or was to be, and cannot be given again. */
class UnreplayableOutcomeTests extends WithAnEngine {

    @Test
    void isATombstoneAndItsCallerStillGetsTheValue() throws Exception {
        assertThat(execute("k", () -> TextCodec.UNRECORDABLE).value()).isEqualTo(TextCodec.UNRECORDABLE);

        assertThatExceptionOfType(OutcomeUnavailableException.class)
                .isThrownBy(() -> call("k"))
                .withMessageContaining("this text has no stored form");
        assertThat(runs).hasValue(0);
    }

    @ParameterizedTest
    @ValueSource(strings = {TextCodec.BREAKING, TextCodec.CRASHING})
    void becauseItsCodecIsBrokenIsATombstoneToo(String value) throws Exception {
        assertThat(execute("k", () -> value).value()).isEqualTo(value);

        assertThatExceptionOfType(OutcomeUnavailableException.class).isThrownBy(() -> call("k"));
        assertThat(runs).hasValue(0);
    }

    @Test
    void isFoundOutWhenItIsRecorded() throws Exception {
        execute("k", () -> TextCodec.UNREPLAYABLE);

        assertThat(listener.events()).containsExactly("started", "recorded TOMBSTONE");
    }

    @Test
    void becauseItWasStoredInAnotherFormatIsAClearErrorAndNothingRuns() {
        plant("k", new Outcome(Outcome.Kind.VALUE, "future/9", new byte[] {1}));

        assertThatExceptionOfType(OutcomeUnavailableException.class).isThrownBy(() -> call("k"));
        assertThat(runs).hasValue(0);
    }

    @Test
    void becauseItIsGarbageIsAClearErrorAndNothingRuns() {
        plant("k", Outcome.ofBytes(new byte[] {99, 98, 97}));

        assertThatExceptionOfType(OutcomeUnavailableException.class)
                .isThrownBy(() -> call("k"))
                .withMessageContaining("cannot read");
        assertThat(runs).hasValue(0);
    }

    private void plant(String key, Outcome outcome) {
        IdempotencyRequest request = request(key, "content");
        ClaimOutcome.Granted granted = (ClaimOutcome.Granted) memory.claim(
                ClaimRequest.of(request.key().identity(NAMESPACE), request.fingerprint(), OwnerToken.random(), policy));
        memory.complete(granted.claim(), outcome, policy.retention());
    }
}
