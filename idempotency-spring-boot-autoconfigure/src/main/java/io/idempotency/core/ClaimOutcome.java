package io.idempotency.core;

import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/** What a store answers to a claim. Contention is an expected outcome and so a value; exceptions are for failures. */
public sealed interface ClaimOutcome {

    /**
     * Picks one function by the kind of this outcome. A kind that is added later does not compile until every caller
     * says what it does with it.
     */
    <R> R fold(
            Function<Granted, R> granted,
            Function<InProgress, R> inProgress,
            Function<Completed, R> completed,
            Supplier<R> mismatch,
            Function<InDoubt, R> inDoubt);

    /**
     * The caller holds the claim and must execute.
     *
     * @param claim what to show with every later write
     * @param takeover whether the claim was taken over from a holder whose lease was over
     * @param steps what earlier attempts have recorded of the steps of the operation
     */
    record Granted(Claim claim, boolean takeover, List<StepRecord> steps) implements ClaimOutcome {

        /** A claim without recorded steps. */
        public Granted(Claim claim, boolean takeover) {
            this(claim, takeover, List.of());
        }

        @Override
        public <R> R fold(
                Function<Granted, R> granted,
                Function<InProgress, R> inProgress,
                Function<Completed, R> completed,
                Supplier<R> mismatch,
                Function<InDoubt, R> inDoubt) {
            return granted.apply(this);
        }
    }

    /**
     * Somebody else is executing.
     *
     * @param remainingLease how long that claim still lives without renewal, and so how long to wait before another claim.
     *     Where it is zero or less it becomes one second: the record is just being taken over, or locked by a transaction of
     *     its owner, and nobody knows for how long
     */
    record InProgress(Duration remainingLease) implements ClaimOutcome {

        private static final Duration UNKNOWN = Duration.ofSeconds(1);

        public InProgress {
            if (remainingLease.isZero() || remainingLease.isNegative()) {
                remainingLease = UNKNOWN;
            }
        }

        @Override
        public <R> R fold(
                Function<Granted, R> granted,
                Function<InProgress, R> inProgress,
                Function<Completed, R> completed,
                Supplier<R> mismatch,
                Function<InDoubt, R> inDoubt) {
            return inProgress.apply(this);
        }
    }

    /**
     * The operation ended before.
     *
     * @param outcome what was recorded
     * @param attempt the attempt that recorded it
     */
    record Completed(Outcome outcome, long attempt) implements ClaimOutcome {
        @Override
        public <R> R fold(
                Function<Granted, R> granted,
                Function<InProgress, R> inProgress,
                Function<Completed, R> completed,
                Supplier<R> mismatch,
                Function<InDoubt, R> inDoubt) {
            return completed.apply(this);
        }
    }

    /** The identity is bound to another fingerprint. */
    record Mismatch() implements ClaimOutcome {
        @Override
        public <R> R fold(
                Function<Granted, R> granted,
                Function<InProgress, R> inProgress,
                Function<Completed, R> completed,
                Supplier<R> mismatch,
                Function<InDoubt, R> inDoubt) {
            return mismatch.get();
        }
    }

    /**
     * Nobody may execute until an operator resolves the record.
     *
     * @param attempt the attempt whose end nobody knows
     */
    record InDoubt(long attempt) implements ClaimOutcome {
        @Override
        public <R> R fold(
                Function<Granted, R> granted,
                Function<InProgress, R> inProgress,
                Function<Completed, R> completed,
                Supplier<R> mismatch,
                Function<InDoubt, R> inDoubt) {
            return inDoubt.apply(this);
        }
    }
}
