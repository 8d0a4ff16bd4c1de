package io.idempotency.faults;

import io.idempotency.core.Claim;
import io.idempotency.core.ClaimRequest;
import io.idempotency.core.IdempotencyStore;
import io.idempotency.core.Identity;
import io.idempotency.core.Outcome;
import io.idempotency.core.Resolution;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/** What a client asks of a store about one identity. */
sealed interface HistoryRequest {

    Identity identity();

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

    record ToFind(Identity identity) implements HistoryRequest {
        @Override
        public Object send(IdempotencyStore store) {
            return store.find(identity);
        }
    }
}
