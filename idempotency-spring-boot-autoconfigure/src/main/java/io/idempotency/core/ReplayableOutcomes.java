package io.idempotency.core;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes outcomes of values, and results of outcomes. */
final class ReplayableOutcomes {

    private static final Logger logger = LoggerFactory.getLogger(ReplayableOutcomes.class);

    private ReplayableOutcomes() {}

    /** Encodes a value and decodes it once, so that what cannot be replayed is known now and not at the first retry. */
    static <T extends @Nullable Object> Outcome encode(IdempotencyRequest request, OutcomeCodec<T> codec, T value) {
        try {
            Outcome outcome = codec.encode(value);
            codec.decode(outcome);
            return outcome;
        } catch (OutcomeCodecException unreplayable) {
            return tombstone(request, unreplayable.getMessage(), unreplayable);
        } catch (Throwable broken) {
            // The work has happened: whatever a codec throws, its caller gets the value and nothing runs again.
            return tombstone(request, "its value could not be encoded", broken);
        }
    }

    private static Outcome tombstone(IdempotencyRequest request, String reason, Throwable cause) {
        String operation = request.key().operation();
        logger.warn("The outcome of operation {} cannot be replayed: {}", operation, reason);
        logger.debug("Encoding the outcome of operation {} failed", operation, cause);
        return Outcome.tombstone(reason);
    }

    static <T extends @Nullable Object> IdempotentResult<T> result(Admission.Replay replay, OutcomeCodec<T> codec) {
        try {
            return new IdempotentResult<>(codec.decode(replay.outcome()), true, replay.attempt());
        } catch (OutcomeCodecException unreadable) {
            throw new OutcomeUnavailableException(replay.identity(), unreadable.getMessage(), unreadable);
        }
    }
}
