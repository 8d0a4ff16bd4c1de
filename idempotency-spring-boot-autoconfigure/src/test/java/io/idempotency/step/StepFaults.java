package io.idempotency.step;

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

/** A store that counts what is written of steps, and fails when a test says so. */
final class StepFaults implements IdempotencyStore, StepStore {

    private final InMemoryIdempotencyStore store;

    private final AtomicInteger writes = new AtomicInteger();

    private final AtomicInteger failingRecords = new AtomicInteger();

    private volatile boolean failingClaims;

    private volatile boolean failingEnds;

    StepFaults(InMemoryIdempotencyStore store) {
        this.store = store;
    }

    int writes() {
        return writes.get();
    }

    void failRecords(int times) {
        failingRecords.set(times);
    }

    void failClaims() {
        failingClaims = true;
    }

    /** Renewals and ends do not reach the store, for which the leases that it grants are over at once. */
    void failEnds() {
        failingEnds = true;
    }

    private static void failIf(boolean failing) {
        if (failing) {
            throw new IdempotencyStoreException("planted", null);
        }
    }

    @Override
    public ClaimOutcome claim(ClaimRequest request) {
        failIf(failingClaims);
        return failingEnds ? withTheLeaseOf(request, store.claim(brief(request))) : store.claim(request);
    }

    private static ClaimRequest brief(ClaimRequest asked) {
        return new ClaimRequest(
                asked.identity(),
                asked.fingerprint(),
                asked.owner(),
                Duration.ofMillis(1),
                asked.lifetime(),
                asked.onAbandoned());
    }

    private static ClaimOutcome withTheLeaseOf(ClaimRequest asked, ClaimOutcome answer) {
        if (!(answer instanceof ClaimOutcome.Granted granted)) {
            return answer;
        }
        Claim claim = granted.claim();
        return new ClaimOutcome.Granted(
                new Claim(claim.identity(), claim.owner(), claim.attempt(), asked.lease()),
                granted.takeover(),
                granted.steps());
    }

    @Override
    public Map<Claim, Renewal> renew(Collection<Claim> claims) {
        failIf(failingEnds);
        return store.renew(claims);
    }

    @Override
    public Ownership complete(Claim claim, Outcome outcome, Duration retention) {
        failIf(failingEnds);
        return store.complete(claim, outcome, retention);
    }

    @Override
    public Ownership release(Claim claim, Duration retention) {
        failIf(failingEnds);
        return store.release(claim, retention);
    }

    @Override
    public Ownership hold(Claim claim) {
        failIf(failingEnds);
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
        failIf(failingRecords.getAndUpdate(left -> Math.max(0, left - 1)) > 0);
        writes.incrementAndGet();
        return store.recordStep(claim, step);
    }

    @Override
    public boolean resolveStep(Identity identity, long attempt, StepIdentity step, Outcome result) {
        return store.resolveStep(identity, attempt, step, result);
    }

    @Override
    public Ownership forgetStep(Claim claim, StepIdentity step) {
        writes.incrementAndGet();
        return store.forgetStep(claim, step);
    }
}
