package io.idempotency.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.idempotency.core.FaultyStore.Verb;
import java.time.Duration;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Calls while another with their key is being executed. */
class DuplicateTests extends WithAnEngine {

    @Nested
    class ADuplicateOfARunningExecution {

        @Test
        void isRefusedWithTheRemainingLease() throws Exception {
            Running running = start("k");

            assertThatExceptionOfType(OperationInProgressException.class)
                    .isThrownBy(() -> call("k"))
                    .satisfies(refusal ->
                            assertThat(refusal.retryAfter()).isPositive().isLessThanOrEqualTo(policy.lease()));
            running.end();
            assertThat(call("k").replayed()).isTrue();
        }

        @Test
        void withOtherContentIsAMismatchAtOnce() throws Exception {
            Running running = start("k");

            assertThatExceptionOfType(FingerprintMismatchException.class)
                    .isThrownBy(() -> idempotency.execute(request("k", "another amount"), TEXT, () -> "never"));
            running.end();
            assertThat(call("k").value()).isEqualTo("held");
        }

        @Test
        void waitsForTheOutcomeWhereThePolicySaysSo() throws Exception {
            Running running = start("k");
            policy = policy.withMaxWait(Duration.ofSeconds(20));
            Future<IdempotentResult<String>> waiting = threads.submit(() -> call("k"));
            await().until(() -> store.calls(Verb.CLAIM) >= 3);

            running.end();

            assertThat(waiting.get()).isEqualTo(new IdempotentResult<>("held", true, 1));
            assertThat(listener.events()).containsExactly("started", "waiting", "recorded VALUE", "replayed VALUE");
        }

        @Test
        void executesItselfAfterAReleaseThatItWaitedFor() throws Exception {
            Running running = start("k");
            policy = policy.withMaxWait(Duration.ofSeconds(20));
            Future<IdempotentResult<String>> waiting = threads.submit(() -> call("k"));
            await().until(() -> store.calls(Verb.CLAIM) >= 3);

            running.fail();

            assertThat(waiting.get()).isEqualTo(new IdempotentResult<>("run 1", false, 2));
        }

        @Test
        void thatGivesUpWaitingLeavesTheRunningClaimAlone() throws Exception {
            Running running = start("k");
            policy = policy.withMaxWait(Duration.ofMillis(100));

            assertThatExceptionOfType(OperationInProgressException.class).isThrownBy(() -> call("k"));

            assertThat(find("k")).isEqualTo(RecordState.IN_PROGRESS);
            running.end();
            assertThat(call("k").value()).isEqualTo("held");
            assertThat(runs).hasValue(0);
        }

        @Test
        void isRefusedAtOnceWhenTooManyWait() throws Exception {
            try (IdempotencyTemplate withoutSeats = template(0)) {
                Running running = start("k");
                policy = policy.withMaxWait(Duration.ofMinutes(5));

                assertThatExceptionOfType(OperationInProgressException.class)
                        .isThrownBy(() -> withoutSeats.execute(request("k", "content"), TEXT, () -> "never"));
                running.end();
            }
        }

        @Test
        void onTheSameThreadIsRefusedWithoutWaitingForItself() {
            policy = policy.withMaxWait(Duration.ofMinutes(5));

            assertThatExceptionOfType(OperationInProgressException.class)
                    .isThrownBy(() -> idempotency.execute(
                            request("k", "content"), TEXT, () -> call("k").value()));
        }
    }
}
