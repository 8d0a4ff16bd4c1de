package io.idempotency.core;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Gives every verb of a store a time limit. A verb that is silent for longer fails with {@link IdempotencyStoreException};
 * whether it was applied is then unknown. Only an {@link ImmediateStore} needs none. Anything that a store throws becomes
 * that exception too, so that callers have one failure to handle.
 *
 * <p>Claims and renewals have {@linkplain StoreThreads threads} of their own: a flood of claims keeps no renewal and no
 * recording from the store, and no flood of recordings keeps a renewal from it.
 */
final class TimeLimitedStore implements IdempotencyStore, StepStore, StoreWarnings {

    private final IdempotencyStore store;

    private final boolean immediate;

    private final Duration timeout;

    private final StoreThreads claims;

    private final StoreThreads renewals;

    private final StoreThreads others;

    TimeLimitedStore(IdempotencyStore store, Duration timeout) {
        this.store = store;
        this.immediate = store instanceof ImmediateStore;
        this.timeout = timeout;
        this.claims = new StoreThreads("idempotency-claim", timeout);
        this.renewals = new StoreThreads("idempotency-renew", timeout);
        this.others = new StoreThreads("idempotency-store", timeout);
    }

    /** Says why a store that answers in time may still be too slow for such a lease; empty where it is not. */
    Optional<String> weakness(Duration lease) {
        return immediate || lease.compareTo(timeout) > 0
                ? Optional.empty()
                : Optional.of(
                        ("The lease is %s and idempotency.store-timeout %s: what a slow store answers in time may come when"
                                        + " the lease is over, so that claims are refused and running work loses them. Let"
                                        + " idempotency.lease, or the lease of the annotation, be longer than"
                                        + " idempotency.store-timeout")
                                .formatted(lease, timeout));
    }

    /** Has threads end as soon as they are idle, from now on. Verbs are sent as before. */
    void keepNoIdleThreads() {
        claims.keepNoneIdle();
        renewals.keepNoneIdle();
        others.keepNoneIdle();
    }

    @Override
    public ClaimOutcome claim(ClaimRequest request) {
        return limited(claims, "claim", () -> store.claim(request));
    }

    @Override
    public Map<Claim, Renewal> renew(Collection<Claim> claims) {
        return limited(renewals, "renew", () -> store.renew(claims));
    }

    @Override
    public Ownership complete(Claim claim, Outcome outcome, Duration retention) {
        return limited("complete", () -> store.complete(claim, outcome, retention));
    }

    @Override
    public Ownership release(Claim claim, Duration retention) {
        return limited("release", () -> store.release(claim, retention));
    }

    @Override
    public Ownership hold(Claim claim) {
        return limited("hold", () -> store.hold(claim));
    }

    @Override
    public boolean resolve(Identity identity, long attempt, Resolution resolution) {
        return limited("resolve", () -> store.resolve(identity, attempt, resolution));
    }

    @Override
    public Optional<IdempotencyRecord> find(Identity identity) {
        return limited("find", () -> store.find(identity));
    }

    @Override
    public List<String> warnings() {
        return store instanceof StoreWarnings warnings ? limited("warnings", warnings::warnings) : List.of();
    }

    @Override
    public Ownership recordStep(Claim claim, StepRecord step) {
        StepStore steps = (StepStore) store;
        return limited("record a step", () -> steps.recordStep(claim, step));
    }

    @Override
    public Ownership forgetStep(Claim claim, StepIdentity step) {
        StepStore steps = (StepStore) store;
        return limited("forget a step", () -> steps.forgetStep(claim, step));
    }

    @Override
    public boolean resolveStep(Identity identity, long attempt, StepIdentity step, Outcome result) {
        StepStore steps = (StepStore) store;
        return limited("resolve a step", () -> steps.resolveStep(identity, attempt, step, result));
    }

    private <T> T limited(String verb, Supplier<T> call) {
        return limited(others, verb, call);
    }

    private <T> T limited(StoreThreads threads, String verb, Supplier<T> call) {
        try {
            return immediate ? call.get() : threads.call(verb, call);
        } catch (IdempotencyStoreException known) {
            throw known;
        } catch (ExecutionException failed) {
            throw storeException(verb, failed.getCause());
        } catch (Throwable failed) {
            throw storeException(verb, failed);
        }
    }

    private static IdempotencyStoreException storeException(String verb, @Nullable Throwable cause) {
        return cause instanceof IdempotencyStoreException known
                ? known
                : new IdempotencyStoreException("The store failed: " + verb, cause);
    }
}
