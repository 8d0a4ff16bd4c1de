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
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
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
                .withMessageContaining("did not answer within PT0.05S")
                .matches(TimeLimitedStore::mayHaveBeenSent);
    }

    @Test
    void aFloodOfClaimsIsRefusedAtOnceAndKeepsNoEndFromTheStore() throws Exception {
        TimeLimitedStore limited = limitedTo(Duration.ofSeconds(20));
        Claim held = ((ClaimOutcome.Granted) limited.claim(request("held"))).claim();
        store.frozen(Verb.CLAIM, thaw);
        List<Future<ClaimOutcome>> flood = IntStream.range(0, 256)
                .mapToObj(number -> callers.submit(() -> limited.claim(request("k" + number))))
                .toList();
        await().until(() -> store.calls(Verb.CLAIM) == 257);

        assertThatExceptionOfType(IdempotencyStoreException.class)
                .isThrownBy(() -> limited.claim(request("one too many")))
                .withMessageContaining("takes no other")
                .matches(refused -> !TimeLimitedStore.mayHaveBeenSent(refused));
        assertThat(limited.complete(held, Outcome.tombstone("ended"), Duration.ofHours(1)))
                .isEqualTo(Ownership.OWNED);

        thaw.countDown();
        for (Future<ClaimOutcome> answer : flood) {
            assertThat(answer.get()).isInstanceOf(ClaimOutcome.Granted.class);
        }
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
