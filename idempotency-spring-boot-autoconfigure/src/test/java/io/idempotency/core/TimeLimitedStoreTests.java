package io.idempotency.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.idempotency.core.FaultyStore.Verb;
import io.idempotency.store.memory.InMemoryIdempotencyStore;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Rule 10: whatever a store does, its callers get an answer or a failure in time. */
@Timeout(30)
class TimeLimitedStoreTests {

    private final FaultyStore store = new FaultyStore(new InMemoryIdempotencyStore(1_000));

    private final CountDownLatch thaw = new CountDownLatch(1);

    private final ExecutorService callers = Executors.newCachedThreadPool();

    @AfterEach
    void thaw() {
        thaw.countDown();
        callers.shutdownNow();
    }

    @Test
    void silenceIsAFailureAfterTheTimeLimit() {
        store.frozen(Verb.RENEW, thaw);

        assertThatExceptionOfType(IdempotencyStoreException.class)
                .isThrownBy(() -> limitedTo(Duration.ofMillis(50)).renew(List.of()))
                .withMessageContaining("did not answer within PT0.05S");
    }

    @Test
    void aFloodOfClaimsAndAFloodOfEndsKeepNoRenewalFromTheStore() {
        TimeLimitedStore limited = limitedTo(Duration.ofSeconds(20));
        Claim held = granted(limited, "held");
        Claim renewed = granted(limited, "renewed");
        store.frozen(Verb.CLAIM, thaw).frozen(Verb.COMPLETE, thaw);
        flood(Verb.CLAIM, number -> limited.claim(request("k" + number)));
        flood(Verb.COMPLETE, number -> limited.complete(held, Outcome.tombstone("ended"), Duration.ofHours(1)));

        assertThat(limited.renew(List.of(renewed))).containsEntry(renewed, Renewal.RENEWED);
    }

    @Test
    void aFloodOfClaimsKeepsNoEndFromTheStore() {
        TimeLimitedStore limited = limitedTo(Duration.ofSeconds(20));
        Claim held = granted(limited, "held");
        store.frozen(Verb.CLAIM, thaw);
        flood(Verb.CLAIM, number -> limited.claim(request("k" + number)));

        assertThat(limited.complete(held, Outcome.tombstone("ended"), Duration.ofHours(1)))
                .isEqualTo(Ownership.OWNED);
    }

    @Test
    void aStoreThatWaitsForNothingIsCalledOnTheThreadOfItsCaller() {
        AtomicReference<Thread> called = new AtomicReference<>();
        TimeLimitedStore limited = immediate(() -> called.set(Thread.currentThread()));

        limited.renew(List.of());

        assertThat(called).hasValue(Thread.currentThread());
    }

    @Test
    void whatAStoreThrowsOnTheThreadOfItsCallerIsAFailureOfTheStoreToo() {
        IllegalStateException broken = new IllegalStateException("broken");
        TimeLimitedStore limited = immediate(() -> {
            throw broken;
        });

        assertThatExceptionOfType(IdempotencyStoreException.class)
                .isThrownBy(() -> limited.renew(List.of()))
                .withCause(broken);
    }

    private static TimeLimitedStore immediate(Runnable renewal) {
        return new TimeLimitedStore(new RenewingAtOnce(renewal), Duration.ofSeconds(20));
    }

    private static Claim granted(IdempotencyStore store, String key) {
        return ((ClaimOutcome.Granted) store.claim(request(key))).claim();
    }

    /** Takes all threads that the calls may have. */
    private void flood(Verb verb, IntConsumer call) {
        long before = store.calls(verb);
        IntStream.range(0, StoreThreads.MAX_THREADS).forEach(number -> callers.execute(() -> call.accept(number)));
        await().until(() -> store.calls(verb) == before + StoreThreads.MAX_THREADS);
    }

    private TimeLimitedStore limitedTo(Duration timeout) {
        return new TimeLimitedStore(store, timeout);
    }

    private static ClaimRequest request(String key) {
        return ClaimRequest.of(
                Identity.of("shop", "pay", null, key),
                Fingerprint.none(),
                OwnerToken.random(),
                OperationPolicy.DEFAULT);
    }

    private static final class RenewingAtOnce extends FaultyStore implements ImmediateStore {

        private final Runnable renewal;

        RenewingAtOnce(Runnable renewal) {
            super(new InMemoryIdempotencyStore(1_000));
            this.renewal = renewal;
        }

        @Override
        public Map<Claim, Renewal> renew(Collection<Claim> claims) {
            renewal.run();
            return super.renew(claims);
        }
    }
}
