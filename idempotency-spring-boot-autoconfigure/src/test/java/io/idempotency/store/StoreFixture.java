package io.idempotency.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idempotency.core.Claim;
import io.idempotency.core.ClaimOutcome;
import io.idempotency.core.ClaimRequest;
import io.idempotency.core.Fingerprint;
import io.idempotency.core.IdempotencyRecord;
import io.idempotency.core.IdempotencyStore;
import io.idempotency.core.Identity;
import io.idempotency.core.OnAbandoned;
import io.idempotency.core.Outcome;
import io.idempotency.core.OwnerToken;
import io.idempotency.core.RecordState;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/** The store under test, and the words in which the parts of the contract talk to it. */
interface StoreFixture {

    /** How many callers meet where a test says that they meet. */
    int CALLERS = 16;

    /** How often they meet. */
    int MEETINGS = 50;

    /** Long enough to run during a whole test. */
    Duration LEASE = Duration.ofSeconds(30);

    /** Over before anybody can renew it. */
    Duration TINY_LEASE = Duration.ofMillis(1);

    Duration RETENTION = Duration.ofHours(1);

    Duration LIFETIME = Duration.ofHours(1);

    Fingerprint ASKED = Fingerprint.of("asked");

    Fingerprint ASKED_OTHERWISE = Fingerprint.of("asked otherwise");

    Outcome OUTCOME = outcome("an outcome");

    Outcome OTHER_OUTCOME = outcome("another outcome");

    IdempotencyStore store();

    /** Returns an identity that no other test has. */
    default Identity newIdentity() {
        return Identity.of("contract", "operation", null, UUID.randomUUID().toString());
    }

    static Outcome outcome(String content) {
        return new Outcome(Outcome.Kind.VALUE, "text/1", content.getBytes(StandardCharsets.UTF_8));
    }

    /** A request of a new owner. */
    static ClaimRequest request(Identity identity) {
        return request(identity, ASKED);
    }

    static ClaimRequest request(Identity identity, Fingerprint fingerprint) {
        return new ClaimRequest(identity, fingerprint, OwnerToken.random(), LEASE, LIFETIME, OnAbandoned.RETRY);
    }

    /** A request of a new owner that will vanish at once. */
    static ClaimRequest abandonedRequest(Identity identity, OnAbandoned onAbandoned) {
        return abandonedRequest(identity, onAbandoned, LIFETIME);
    }

    static ClaimRequest abandonedRequest(Identity identity, OnAbandoned onAbandoned, Duration lifetime) {
        return new ClaimRequest(identity, ASKED, OwnerToken.random(), TINY_LEASE, lifetime, onAbandoned);
    }

    /** Claims what must be granted. */
    default Claim granted(ClaimRequest request) {
        return grant(request).claim();
    }

    default Claim granted(Identity identity) {
        return granted(request(identity));
    }

    default ClaimOutcome.Granted grant(ClaimRequest request) {
        ClaimOutcome answer = store().claim(request);
        assertThat(answer).isInstanceOf(ClaimOutcome.Granted.class);
        return (ClaimOutcome.Granted) answer;
    }

    /** Claims for a holder that vanishes, and returns when its lease is over. */
    default Claim abandoned(Identity identity) {
        return abandoned(abandonedRequest(identity, OnAbandoned.RETRY));
    }

    default Claim abandoned(ClaimRequest request) {
        Claim claim = granted(request);
        awaitEndOfLease(request.identity());
        return claim;
    }

    default Claim completed(Identity identity) {
        Claim claim = granted(identity);
        store().complete(claim, OUTCOME, RETENTION);
        return claim;
    }

    default Claim released(Identity identity) {
        Claim claim = granted(identity);
        store().release(claim, RETENTION);
        return claim;
    }

    default Claim held(Identity identity) {
        Claim claim = granted(identity);
        store().hold(claim);
        return claim;
    }

    /** Waits on the store's own clock, without claiming. */
    default void awaitEndOfLease(Identity identity) {
        await().pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(2))
                .until(() -> !isPositive(find(identity).remainingLease()));
    }

    static boolean isPositive(Duration duration) {
        return !duration.isNegative() && !duration.isZero();
    }

    /** Waits on the store's own clock, without claiming. */
    default void awaitExpiry(Identity identity) {
        await().pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(2))
                .until(() -> store().find(identity).isEmpty());
    }

    /** Waits until this time has passed on the store's clock: until a record that is kept for it alone is gone. */
    default void awaitPassing(Duration time) {
        Identity other = newIdentity();
        store().complete(granted(other), OUTCOME, time);
        awaitExpiry(other);
    }

    default IdempotencyRecord find(Identity identity) {
        return store().find(identity).orElseThrow();
    }

    default RecordState state(Identity identity) {
        return find(identity).state();
    }

    default void assertReplays(Identity identity, Outcome outcome, long attempt) {
        ClaimOutcome answer = store().claim(request(identity));
        assertThat(answer).isInstanceOfSatisfying(ClaimOutcome.Completed.class, completed -> {
            assertThat(completed.outcome().toBytes()).isEqualTo(outcome.toBytes());
            assertThat(completed.attempt()).isEqualTo(attempt);
        });
    }

    /** Returns as many identities as it takes for callers to meet on some of them at the worst moment. */
    default List<Identity> newIdentities() {
        return Stream.generate(this::newIdentity).limit(MEETINGS).toList();
    }

    /**
     * Lets many callers claim the same identities in the same order at the same time, each claim with a token of its own.
     * The caller in front is granted, which takes longest, so the others catch up with it again and again.
     *
     * @return the answers for each identity
     */
    default Map<Identity, List<ClaimOutcome>> claimTogether(List<Identity> identities) {
        Map<Identity, List<ClaimOutcome>> answers = new ConcurrentHashMap<>();
        together(() -> {
            for (Identity identity : identities) {
                ClaimOutcome answer = store().claim(request(identity));
                answers.computeIfAbsent(identity, absent -> new CopyOnWriteArrayList<>())
                        .add(answer);
            }
            return answers;
        });
        return answers;
    }

    /**
     * Lets many callers claim each identity, and asserts that one of them is granted, and that the others are in progress and
     * told for how long to wait.
     */
    default void assertThatOneOfManyIsGranted(List<Identity> identities) {
        assertThat(claimTogether(identities)).hasSize(identities.size()).allSatisfy((identity, answers) -> {
            assertThat(answers)
                    .filteredOn(ClaimOutcome.Granted.class::isInstance)
                    .hasSize(1);
            assertThat(answers)
                    .filteredOn(ClaimOutcome.InProgress.class::isInstance)
                    .hasSize(CALLERS - 1)
                    .extracting(answer -> ((ClaimOutcome.InProgress) answer).remainingLease())
                    .allSatisfy(remaining -> assertThat(remaining).isPositive());
        });
    }

    /** Lets many callers do the same at the same moment. */
    static <T> List<T> together(Callable<T> call) {
        return together(Collections.nCopies(CALLERS, call));
    }

    static <T> List<T> together(List<Callable<T>> calls) {
        AtomicInteger missing = new AtomicInteger(calls.size());
        ExecutorService callers = Executors.newFixedThreadPool(calls.size());
        try {
            List<Future<T>> answers = new ArrayList<>();
            for (Callable<T> call : calls) {
                answers.add(callers.submit(() -> {
                    // Not parked: waking up takes far longer than a claim, and the first would be done by then.
                    missing.decrementAndGet();
                    while (missing.get() > 0 && !Thread.currentThread().isInterrupted()) {
                        Thread.yield();
                    }
                    return call.call();
                }));
            }
            List<T> results = new ArrayList<>();
            for (Future<T> answer : answers) {
                results.add(answer.get(30, TimeUnit.SECONDS));
            }
            return results;
        } catch (InterruptedException | ExecutionException | TimeoutException failure) {
            throw new AssertionError("A caller failed", failure);
        } finally {
            callers.shutdownNow();
        }
    }
}
