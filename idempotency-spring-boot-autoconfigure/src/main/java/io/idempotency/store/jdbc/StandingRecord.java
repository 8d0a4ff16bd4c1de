package io.idempotency.store.jdbc;

import io.idempotency.core.ClaimOutcome;
import io.idempotency.core.ClaimRequest;
import io.idempotency.core.Fingerprint;
import io.idempotency.core.IdempotencyStoreException;
import io.idempotency.core.Outcome;
import io.idempotency.core.OwnerToken;
import io.idempotency.core.RecordState;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a claim read.
 *
 * @param granted whether the claim itself inserted it
 * @param owner null once an operator has decided about the record
 * @param bound whether steps were recorded
 * @param holdAbandoned whether the record is in doubt when its holder vanished
 * @param expired whether it counts as forgotten
 * @param remainingLease null where there is no lease: a record in progress is then locked until it expires
 * @param outcome null unless completed
 */
record StandingRecord(
        boolean granted,
        RecordState state,
        long attempt,
        @Nullable OwnerToken owner,
        Fingerprint fingerprint,
        boolean bound,
        boolean holdAbandoned,
        boolean expired,
        @Nullable Duration remainingLease,
        @Nullable Outcome outcome) {

    private static final Outcome UNREADABLE = Outcome.ofBytes(new byte[0]);

    /**
     * @throws IdempotencyStoreException if a newer version of this library wrote a record that this one cannot judge
     */
    static StandingRecord read(ResultSet row) throws SQLException {
        return new StandingRecord(
                row.getBoolean("granted"),
                readState(row),
                row.getLong("attempt"),
                readOwner(row),
                readFingerprint(row),
                row.getBoolean("bound"),
                row.getBoolean("hold_abandoned"),
                row.getBoolean("expired"),
                readRemainingLease(row),
                readOutcome(row));
    }

    static RecordState readState(ResultSet row) throws SQLException {
        try {
            return RecordState.ofCode(row.getInt("state"));
        } catch (IllegalArgumentException unknown) {
            throw foreign(unknown);
        }
    }

    static @Nullable Duration readRemainingLease(ResultSet row) throws SQLException {
        long microseconds = row.getLong("remaining_lease");
        return row.wasNull() ? null : Duration.of(microseconds, ChronoUnit.MICROS);
    }

    private static @Nullable OwnerToken readOwner(ResultSet row) throws SQLException {
        try {
            return RecordParameters.token(row.getBytes("owner"));
        } catch (IllegalArgumentException unknown) {
            throw foreign(unknown);
        }
    }

    static Fingerprint readFingerprint(ResultSet row) throws SQLException {
        try {
            return Fingerprint.ofBytes(row.getBytes("fingerprint"));
        } catch (IllegalArgumentException unknown) {
            throw foreign(unknown);
        }
    }

    static IdempotencyStoreException foreign(IllegalArgumentException unknown) {
        return new IdempotencyStoreException("The record was written by another version of this library", unknown);
    }

    private static @Nullable Outcome readOutcome(ResultSet row) throws SQLException {
        byte[] bytes = row.getBytes("outcome");
        return bytes == null ? null : Outcome.ofBytes(bytes);
    }

    /** Says whether the claim is this owner's already. A record that is expired is nobody's: it would not stay granted. */
    boolean isHeldBy(OwnerToken token) {
        return state == RecordState.IN_PROGRESS && !expired && token.equals(owner);
    }

    /** Returns what a claim of somebody else is told; empty where it may try to take the record. */
    Optional<ClaimOutcome> answerTo(ClaimRequest request) {
        if (expired) {
            return Optional.empty();
        }
        boolean isBinding = state != RecordState.RETRYABLE || bound;
        if (isBinding && !fingerprint.equals(request.fingerprint())) {
            return Optional.of(new ClaimOutcome.Mismatch());
        }
        return switch (state) {
            case COMPLETED ->
                Optional.of(new ClaimOutcome.Completed(Objects.requireNonNullElse(outcome, UNREADABLE), attempt));
            case IN_DOUBT -> Optional.of(new ClaimOutcome.InDoubt(attempt));
            case RETRYABLE -> Optional.empty();
            case IN_PROGRESS ->
                isAbandoned()
                        ? Optional.empty()
                        : Optional.of(
                                new ClaimOutcome.InProgress(Objects.requireNonNullElse(remainingLease, Duration.ZERO)));
        };
    }

    /** Says whether the lease of a running claim is over. */
    boolean isAbandoned() {
        return state == RecordState.IN_PROGRESS
                && !expired
                && remainingLease != null
                && remainingLease.compareTo(Duration.ZERO) <= 0;
    }
}
