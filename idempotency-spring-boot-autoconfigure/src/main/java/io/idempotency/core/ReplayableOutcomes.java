package io.idempotency.core;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes outcomes of values, and results of outcomes. */
public final class ReplayableOutcomes {

    private static final Logger logger = LoggerFactory.getLogger(ReplayableOutcomes.class);

    private ReplayableOutcomes() {}

    /**
     * Encodes a value and decodes it once, so that what cannot be replayed is known now and not at the first retry. A value
     * that cannot be becomes a tombstone.
     *
     * @param subject what the value came of, for the log
     */
    public static <T extends @Nullable Object> Outcome encode(String subject, OutcomeCodec<T> codec, T value) {
        try {
            Outcome outcome = codec.encode(value);
            codec.decode(outcome);
            return outcome;
        } catch (OutcomeCodecException unreplayable) {
            return tombstone(subject, unreplayable.getMessage(), unreplayable);
        } catch (Throwable broken) {
            // The work has happened: whatever a codec throws, its caller gets the value and nothing runs again.
            return tombstone(subject, "its value could not be encoded", broken);
        }
    }

    private static Outcome tombstone(String subject, String reason, Throwable cause) {
        logger.warn("The outcome of {} cannot be replayed: {}", subject, reason);
        logger.debug("Encoding the outcome of {} failed", subject, cause);
        return Outcome.tombstone(reason);
    }

    /**
     * Makes the answer of a recorded outcome.
     *
     * @throws IdempotencyException if the outcome is no value
     */
    static Admission.Replay replay(Identity identity, ClaimOutcome.Completed completed) {
        Outcome outcome = completed.outcome();
        return switch (outcome.kind()) {
            case VALUE -> new Admission.Replay(identity, outcome, completed.attempt());
            case FAILURE -> throw recordedFailure(identity, outcome);
            case TOMBSTONE -> throw new OutcomeUnavailableException(identity, outcome.text(), null);
            case UNREADABLE ->
                throw new OutcomeUnavailableException(
                        identity, "this version of the application cannot read what is stored", null);
        };
    }

    private static RecordedFailureException recordedFailure(Identity identity, Outcome outcome) {
        String[] typeAndMessage = outcome.text().split("\n", 2);
        return new RecordedFailureException(
                identity, typeAndMessage[0], typeAndMessage.length == 2 ? typeAndMessage[1] : "");
    }

    static <T extends @Nullable Object> IdempotentResult<T> result(Admission.Replay replay, OutcomeCodec<T> codec) {
        try {
            return new IdempotentResult<>(codec.decode(replay.outcome()), true, replay.attempt());
        } catch (OutcomeCodecException unreadable) {
            throw new OutcomeUnavailableException(replay.identity(), unreadable.getMessage(), unreadable);
        }
    }
}
