package io.idempotency.faults;

import io.idempotency.core.Claim;
import io.idempotency.core.ClaimRequest;
import io.idempotency.core.IdempotencyStore;
import io.idempotency.core.Identity;
import io.idempotency.core.Outcome;
import io.idempotency.core.OwnerToken;
import io.idempotency.core.Resolution;
import io.idempotency.core.StepIdentity;
import io.idempotency.core.StepRecord;
import io.idempotency.core.StepStore;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** What a client asks of a store about one identity. */
sealed interface HistoryRequest {

    Identity identity();

    /** Returns who records or forgets a step by it; empty if it is about something else. */
    default Optional<OwnerToken> stepper() {
        return Optional.empty();
    }

    /** Sends it and returns the answer. */
    Object send(IdempotencyStore store);

    record ToClaim(ClaimRequest request) implements HistoryRequest {
        @Override
        public Identity identity() {
            return request.identity();
        }

        @Override
        public Object send(IdempotencyStore store) {
            return store.claim(request);
        }
    }

    record ToRenew(Claim claim) implements HistoryRequest {
        @Override
        public Identity identity() {
            return claim.identity();
        }

        @Override
        public Object send(IdempotencyStore store) {
            return Objects.requireNonNull(store.renew(List.of(claim)).get(claim));
        }
    }

    record ToComplete(Claim claim, Outcome outcome, Duration retention) implements HistoryRequest {
        @Override
        public Identity identity() {
            return claim.identity();
        }

        @Override
        public Object send(IdempotencyStore store) {
            return store.complete(claim, outcome, retention);
        }
    }

    record ToRelease(Claim claim, Duration retention) implements HistoryRequest {
        @Override
        public Identity identity() {
            return claim.identity();
        }

        @Override
        public Object send(IdempotencyStore store) {
            return store.release(claim, retention);
        }
    }

    record ToHold(Claim claim) implements HistoryRequest {
        @Override
        public Identity identity() {
            return claim.identity();
        }

        @Override
        public Object send(IdempotencyStore store) {
            return store.hold(claim);
        }
    }

    record ToResolve(Identity identity, long attempt, Resolution resolution) implements HistoryRequest {
        @Override
        public Object send(IdempotencyStore store) {
            return store.resolve(identity, attempt, resolution);
        }
    }

    record ToRecordStep(Claim claim, StepRecord step) implements HistoryRequest {
        @Override
        public Identity identity() {
            return claim.identity();
        }

        @Override
        public Optional<OwnerToken> stepper() {
            return Optional.of(claim.owner());
        }

        @Override
        public Object send(IdempotencyStore store) {
            return ((StepStore) store).recordStep(claim, step);
        }
    }

    record ToForgetStep(Claim claim, StepIdentity step) implements HistoryRequest {
        @Override
        public Identity identity() {
            return claim.identity();
        }

        @Override
        public Optional<OwnerToken> stepper() {
            return Optional.of(claim.owner());
        }

        @Override
        public Object send(IdempotencyStore store) {
            return ((StepStore) store).forgetStep(claim, step);
        }
    }

    record ToResolveStep(Identity identity, long attempt, StepIdentity step, Outcome result) implements HistoryRequest {
        @Override
        public Object send(IdempotencyStore store) {
            return ((StepStore) store).resolveStep(identity, attempt, step, result);
        }
    }

    record ToFind(Identity identity) implements HistoryRequest {
        @Override
        public Object send(IdempotencyStore store) {
            return store.find(identity);
        }
    }
}
