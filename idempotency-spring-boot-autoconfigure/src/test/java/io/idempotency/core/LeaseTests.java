package io.idempotency.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.idempotency.core.FaultyStore.Verb;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What the engine does about the lease of a claim while its work runs, and about one that passes. */
class LeaseTests extends WithAnEngine {

    @Test
    void thatIsOverWhenItsGrantArrivesLetsNothingRunAndFreesTheKey() throws Exception {
        policy = policy.withLease(Duration.ofMillis(1)).withOnStoreFailure(OnStoreFailure.PROCEED);
        CountDownLatch thaw = new CountDownLatch(1);
        store.frozen(Verb.CLAIM, thaw);
        Future<IdempotentResult<String>> late = threads.submit(() -> call("k"));
        await().until(() -> store.calls(Verb.CLAIM) == 1);
        long sent = System.nanoTime();
        await().until(() -> System.nanoTime() - sent > policy.lease().toNanos());
        thaw.countDown();

        assertThatThrownBy(late::get)
                .hasCauseInstanceOf(IdempotencyStoreException.class)
                .hasMessageContaining("longer than idempotency.store-timeout");
        assertThat(runs).hasValue(0);
        await().until(() -> find("k") == RecordState.RETRYABLE);
    }

    @Test
    void isRenewedWhileTheWorkRuns() throws Exception {
        policy = policy.withLease(Duration.ofSeconds(1));
        Running running = start("k");

        await().until(() -> store.calls(Verb.RENEW) >= 4);
        assertThatExceptionOfType(OperationInProgressException.class).isThrownBy(() -> call("k"));
        running.end();

        assertThat(call("k").value()).isEqualTo("held");
    }

    @Test
    void isNotRenewedOnceTheWorkHasEnded() {
        policy = policy.withLease(Duration.ofMillis(800));
        IntStream.range(0, 100).forEach(number -> call("k" + number));

        long renewals = store.calls(Verb.RENEW);
        await().during(Duration.ofMillis(300)).until(() -> store.calls(Verb.RENEW) == renewals);
    }

    @Test
    void thatIsOverIsTakenOverAndTheStaleOwnerRecordsNothing() throws Exception {
        policy = policy.withLease(Duration.ofMillis(500)).withMaxDuration(Duration.ofMillis(500));
        Running stale = start("k");
        await().until(() -> find("k") == RecordState.IN_PROGRESS && isLeaseOver("k"));

        assertThat(call("k")).isEqualTo(new IdempotentResult<>("run 1", false, 2));
        stale.end();

        assertThat(stale.result().value()).isEqualTo("held");
        assertThat(call("k").value()).isEqualTo("run 1");
        assertThat(listener.events()).contains("takeover", "lost").containsOnlyOnce("lost");
    }

    @Test
    void thatPassedUnrenewedIsLostForItsContext() throws Exception {
        policy = policy.withLease(Duration.ofSeconds(1));
        store.failing(Verb.RENEW, Integer.MAX_VALUE);

        boolean lost = execute("k", () -> {
                    IdempotencyContext context = IdempotencyContext.current().orElseThrow();
                    assertThat(context.isLeaseLost()).isFalse();
                    await().until(context::isLeaseLost);
                    store.healed();
                    await().until(() -> !isLeaseOver("k"));
                    return Boolean.toString(context.isLeaseLost());
                })
                .value()
                .equals("true");

        assertThat(lost).isTrue();
        assertThat(listener.events()).containsOnlyOnce("lost");
    }

    private boolean isLeaseOver(String key) {
        Duration remaining = memory.find(request(key, "content").key().identity(NAMESPACE))
                .orElseThrow()
                .remainingLease();
        return remaining.isZero() || remaining.isNegative();
    }
}
