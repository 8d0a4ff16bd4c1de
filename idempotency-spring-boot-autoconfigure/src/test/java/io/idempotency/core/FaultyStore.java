package io.idempotency.core;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** A store whose verbs fail, lose their replies or hang when a test says so. What is not disturbed reaches a real store. */
class FaultyStore implements IdempotencyStore {

    enum Verb {
        CLAIM,
        RENEW,
        COMPLETE,
        RELEASE,
        HOLD,
        RESOLVE,
        FIND
    }

    private final IdempotencyStore store;

    private final Map<Verb, AtomicInteger> failures = new ConcurrentHashMap<>();

    private final Map<Verb, AtomicInteger> lostReplies = new ConcurrentHashMap<>();

    private final Map<Verb, CountDownLatch> frozen = new ConcurrentHashMap<>();

    private final List<Verb> calls = new CopyOnWriteArrayList<>();

    FaultyStore(IdempotencyStore store) {
        this.store = store;
    }

    /** The next calls of the verb fail without having been applied. */
    FaultyStore failing(Verb verb, int times) {
        failures.put(verb, new AtomicInteger(times));
        return this;
    }

    /** The next calls of the verb are applied, but fail all the same. */
    FaultyStore losingReplies(Verb verb, int times) {
        lostReplies.put(verb, new AtomicInteger(times));
        return this;
    }

    /** The calls of the verb hang until the latch opens. */
    FaultyStore frozen(Verb verb, CountDownLatch thaw) {
        frozen.put(verb, thaw);
        return this;
    }

    void healed() {
        failures.clear();
        lostReplies.clear();
    }

    long calls(Verb verb) {
        return calls.stream().filter(verb::equals).count();
    }

    private <T> T disturbed(Verb verb, Supplier<T> call) {
        calls.add(verb);
        awaitThaw(verb);
        if (isNext(failures, verb)) {
            throw new IdempotencyStoreException("planted failure of " + verb, null);
        }
        T answer = call.get();
        if (isNext(lostReplies, verb)) {
            throw new IdempotencyStoreException("planted loss of the reply to " + verb, null);
        }
        return answer;
    }

    private void awaitThaw(Verb verb) {
        CountDownLatch thaw = frozen.get(verb);
        try {
            if (thaw != null && !thaw.await(30, TimeUnit.SECONDS)) {
                throw new IllegalStateException("Never thawed: " + verb);
            }
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }

    private static boolean isNext(Map<Verb, AtomicInteger> faults, Verb verb) {
        AtomicInteger left = faults.get(verb);
        return left != null && left.getAndDecrement() > 0;
    }

    @Override
    public ClaimOutcome claim(ClaimRequest request) {
        return disturbed(Verb.CLAIM, () -> store.claim(request));
    }

    @Override
    public Map<Claim, Renewal> renew(Collection<Claim> claims) {
        return disturbed(Verb.RENEW, () -> store.renew(claims));
    }

    @Override
    public Ownership complete(Claim claim, Outcome outcome, Duration retention) {
        return disturbed(Verb.COMPLETE, () -> store.complete(claim, outcome, retention));
    }

    @Override
    public Ownership release(Claim claim, Duration retention) {
        return disturbed(Verb.RELEASE, () -> store.release(claim, retention));
    }

    @Override
    public Ownership hold(Claim claim) {
        return disturbed(Verb.HOLD, () -> store.hold(claim));
    }

    @Override
    public boolean resolve(Identity identity, long attempt, Resolution resolution) {
        return disturbed(Verb.RESOLVE, () -> store.resolve(identity, attempt, resolution));
    }

    @Override
    public Optional<IdempotencyRecord> find(Identity identity) {
        return disturbed(Verb.FIND, () -> store.find(identity));
    }
}
