package io.idempotency.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.idempotency.core.FaultyStore.Verb;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** What the engine does about a store that fails or is silent. */
class FailingStoreTests extends WithAnEngine {

    @Test
    void atTheClaimRefusesTheCallAndNothingRuns() {
        store.failing(Verb.CLAIM, 1);

        assertThatExceptionOfType(IdempotencyStoreException.class).isThrownBy(() -> call("k"));
        assertThat(runs).hasValue(0);
        assertThat(call("k").value()).isEqualTo("run 1");
    }

    @Test
    void bySilenceRefusesTheCallWithinTheTimeLimit() {
        CountDownLatch thaw = new CountDownLatch(1);
        store.frozen(Verb.CLAIM, thaw);

        assertThatExceptionOfType(IdempotencyStoreException.class)
                .isThrownBy(() -> call("k"))
                .withMessageContaining("did not answer within");
        thaw.countDown();
        assertThat(runs).hasValue(0);
    }

    @Test
    void atTheClaimLetsTheCallRunWhereThePolicySaysProceed() {
        policy = policy.withOnStoreFailure(OnStoreFailure.PROCEED);
        store.failing(Verb.CLAIM, 1);

        assertThat(call("k")).isEqualTo(new IdempotentResult<>("run 1", false, 0));
        assertThat(listener.events()).containsExactly("unprotected");
    }

    @Test
    void withAnUnexpectedExceptionIsAStoreFailureToo() {
        IdempotencyTemplate broken = new IdempotencyTemplate(
                new FaultyStore(memory) {
                    @Override
                    public ClaimOutcome claim(ClaimRequest request) {
                        throw new IllegalStateException("driver bug");
                    }
                },
                type -> anyText(),
                new EngineSettings(NAMESPACE, Duration.ofSeconds(1), 0),
                policy,
                SurroundingTransaction.NONE,
                List.of());

        assertThatExceptionOfType(IdempotencyStoreException.class)
                .isThrownBy(() -> broken.operation("pay").key("k").execute(String.class, () -> "never"));
        broken.close();
    }

    @Test
    void toAnswerAClaimHasItReleasedInTheBackground() {
        store.losingReplies(Verb.CLAIM, 1);

        assertThatExceptionOfType(IdempotencyStoreException.class).isThrownBy(() -> call("k"));

        await().until(() -> find("k") == RecordState.RETRYABLE);
        assertThat(call("k").value()).isEqualTo("run 1");
    }

    @Test
    void toAnswerAClaimNeverReleasesTheClaimOfAnother() throws Exception {
        Running running = start("k");
        store.losingReplies(Verb.CLAIM, 1);

        assertThatExceptionOfType(IdempotencyStoreException.class).isThrownBy(() -> call("k"));

        await().until(() -> store.calls(Verb.RELEASE) >= 2);
        assertThat(find("k")).isEqualTo(RecordState.IN_PROGRESS);
        running.end();
    }

    @Test
    void atTheRecordingStillGivesTheCallerItsValueAndIsRecordedLater() {
        store.failing(Verb.COMPLETE, 2);

        assertThat(call("k").value()).isEqualTo("run 1");

        assertThat(listener.events()).contains("recording failed");
        await().until(() -> listener.events().contains("recorded VALUE"));
        assertThat(call("k")).isEqualTo(new IdempotentResult<>("run 1", true, 1));
    }

    @Test
    void toAnswerTheRecordingIsAskedAgainAndRecordsOnce() {
        store.losingReplies(Verb.COMPLETE, 1);

        assertThat(call("k").value()).isEqualTo("run 1");

        await().until(() -> listener.events().contains("recorded VALUE"));
        assertThat(call("k").replayed()).isTrue();
        assertThat(listener.events()).doesNotContain("lost");
    }

    @Test
    void atEveryRecordingKeepsTheClaimRenewedUntilMaxDurationAndThenHolds() {
        policy = policy.withLease(Duration.ofMillis(600)).withMaxDuration(Duration.ofMillis(1_200));
        store.failing(Verb.COMPLETE, Integer.MAX_VALUE);

        assertThat(call("k").value()).isEqualTo("run 1");

        await().until(() -> find("k") == RecordState.IN_DOUBT);
        assertThat(store.calls(Verb.RENEW)).isPositive();
        assertThat(listener.events()).contains("held");
        assertThatExceptionOfType(OperationInDoubtException.class).isThrownBy(() -> call("k"));
    }

    @Test
    void atTheHoldIsAskedAgainForLongerThanTheLeaseAndNobodyExecutesMeanwhile() {
        policy = policy.withOnFailure(OnFailure.HOLD).withLease(Duration.ofMillis(500));
        store.failing(Verb.HOLD, 4);

        assertThatThrownBy(() -> execute("k", failingWith(new IllegalStateException("boom"))))
                .isInstanceOf(IllegalStateException.class);

        await().until(() -> find("k") == RecordState.IN_DOUBT);
        assertThat(store.calls(Verb.HOLD)).isEqualTo(5);
        assertThat(listener.events()).doesNotContain("takeover").endsWith("held");
    }

    @Test
    void untilTheApplicationStopsIsAskedOnceMoreWhenItDoes() {
        store.failing(Verb.COMPLETE, 1);
        call("k");

        idempotency.close();

        assertThat(find("k")).isEqualTo(RecordState.COMPLETED);
    }

    @Test
    void isNoReasonToProceedForAThreadThatIsInterrupted() {
        policy = policy.withOnStoreFailure(OnStoreFailure.PROCEED);
        CountDownLatch thaw = new CountDownLatch(1);
        store.frozen(Verb.CLAIM, thaw);

        Thread.currentThread().interrupt();
        try {
            assertThatExceptionOfType(IdempotencyStoreException.class).isThrownBy(() -> call("k"));
        } finally {
            assertThat(Thread.interrupted()).isTrue();
            thaw.countDown();
        }
        assertThat(runs).hasValue(0);
    }

    @Test
    void atTheReleaseIsAskedAgain() {
        store.failing(Verb.RELEASE, 1);

        assertThatThrownBy(() -> execute("k", failingWith(new IllegalStateException("boom"))))
                .isInstanceOf(IllegalStateException.class);

        await().until(() -> find("k") == RecordState.RETRYABLE);
    }

    @Test
    void atTheReleaseIsAskedForLongerThanTheLeaseWhereThatLeavesADoubt() {
        policy = policy.withOnAbandoned(OnAbandoned.HOLD).withLease(Duration.ofMillis(500));
        store.failing(Verb.RELEASE, Integer.MAX_VALUE);
        assertThatThrownBy(() -> execute("k", failingWith(new IllegalStateException("boom"))))
                .isInstanceOf(IllegalStateException.class);

        await().untilAsserted(() ->
                assertThatExceptionOfType(OperationInDoubtException.class).isThrownBy(() -> call("k")));
        long tries = store.calls(Verb.RELEASE);
        await().until(() -> store.calls(Verb.RELEASE) > tries + 1);
        store.healed();

        await().until(() -> find("k") == RecordState.RETRYABLE);
    }
}
