package io.idempotency.web;

import io.idempotency.core.Claim;
import io.idempotency.core.ClaimOutcome;
import io.idempotency.core.ClaimRequest;
import io.idempotency.core.IdempotencyRecord;
import io.idempotency.core.IdempotencyStore;
import io.idempotency.core.IdempotencyStoreException;
import io.idempotency.core.Identity;
import io.idempotency.core.Outcome;
import io.idempotency.core.Ownership;
import io.idempotency.core.Renewal;
import io.idempotency.core.Resolution;
import io.idempotency.core.StepIdentity;
import io.idempotency.core.StepRecord;
import io.idempotency.core.StepStore;
import io.idempotency.store.memory.InMemoryIdempotencyStore;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

/** A store in memory that counts claims, can be down, and can be held up when an outcome is recorded. */
final class ControllableStore implements IdempotencyStore, StepStore {

    private final InMemoryIdempotencyStore store = new InMemoryIdempotencyStore(10_000);

    private final AtomicInteger claims = new AtomicInteger();

    private volatile boolean down;

    private volatile boolean losing;

    private volatile Runnable beforeComplete = () -> {};

    /** Returns how often the store was asked for a claim. */
    int claims() {
        return claims.get();
    }

    void setDown(boolean down) {
        this.down = down;
    }

    /** Sets whether holders are told that they have lost what they renew. */
    void setLosing(boolean losing) {
        this.losing = losing;
    }

    void beforeComplete(Runnable action) {
        beforeComplete = action;
    }

    @Override
    public ClaimOutcome claim(ClaimRequest request) {
        claims.incrementAndGet();
        if (down) {
            throw new IdempotencyStoreException("The store is down", null);
        }
        return store.claim(request);
    }

    @Override
    public Map<Claim, Renewal> renew(Collection<Claim> claims) {
        return losing
                ? claims.stream().collect(Collectors.toMap(claim -> claim, claim -> Renewal.LOST))
                : store.renew(claims);
    }

    @Override
    public Ownership complete(Claim claim, Outcome outcome, Duration retention) {
        beforeComplete.run();
        return store.complete(claim, outcome, retention);
    }

    @Override
    public Ownership release(Claim claim, Duration retention) {
        return store.release(claim, retention);
    }

    @Override
    public Ownership hold(Claim claim) {
        return store.hold(claim);
    }

    @Override
    public boolean resolve(Identity identity, long attempt, Resolution resolution) {
        return store.resolve(identity, attempt, resolution);
    }

    @Override
    public Optional<IdempotencyRecord> find(Identity identity) {
        return store.find(identity);
    }

    @Override
    public Ownership recordStep(Claim claim, StepRecord step) {
        return store.recordStep(claim, step);
    }

    @Override
    public boolean resolveStep(Identity identity, long attempt, StepIdentity step, Outcome result) {
        return store.resolveStep(identity, attempt, step, result);
    }

    @Override
    public Ownership forgetStep(Claim claim, StepIdentity step) {
        return store.forgetStep(claim, step);
    }
}
