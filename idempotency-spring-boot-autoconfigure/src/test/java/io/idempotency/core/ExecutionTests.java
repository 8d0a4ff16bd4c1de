package io.idempotency.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** One call after another. */
class ExecutionTests extends WithAnEngine {

    @Nested
    class TheFirstCall {

        @Test
        void executesAndARetryGetsTheRecordedValue() {
            assertThat(call("k")).isEqualTo(new IdempotentResult<>("run 1", false, 1));
            assertThat(call("k")).isEqualTo(new IdempotentResult<>("run 1", true, 1));
            assertThat(listener.events()).containsExactly("started", "recorded VALUE", "replayed VALUE");
        }

        @Test
        void recordsNothingForAnotherKey() {
            call("k");

            assertThat(call("l").value()).isEqualTo("run 2");
        }

        @Test
        void isExecutedByExactlyOneOfManyThreads() throws Exception {
            CountDownLatch start = new CountDownLatch(1);
            List<Future<Boolean>> answers = IntStream.range(0, 50)
                    .mapToObj(thread -> threads.submit(() -> {
                        start.await();
                        return isAnswered("k");
                    }))
                    .toList();
            start.countDown();

            for (Future<Boolean> answer : answers) {
                answer.get();
            }
            assertThat(runs).hasValue(1);
        }

        private boolean isAnswered(String key) {
            try {
                return call(key).value().equals("run 1");
            } catch (OperationInProgressException refusal) {
                return false;
            }
        }
    }

    @Nested
    class AFailure {

        @Test
        void reachesTheCallerUnchangedAndReleasesTheKey() {
            IOException failure = new IOException("card network down");

            assertThatThrownBy(() -> execute("k", () -> {
                        throw failure;
                    }))
                    .isSameAs(failure);
            assertThat(listener.events()).containsExactly("started", "released");
            assertThat(call("k")).isEqualTo(new IdempotentResult<>("run 1", false, 2));
        }

        @Test
        void ofARecordedKindIsTheOutcomeOfEveryRetry() {
            policy = policy.withRecordedFailures(Set.of(IOException.class));

            assertThatThrownBy(() -> execute("k", failingWith(new IOException("declined"))))
                    .isInstanceOf(IOException.class);

            assertThatExceptionOfType(RecordedFailureException.class)
                    .isThrownBy(() -> call("k"))
                    .satisfies(replayed -> {
                        assertThat(replayed.failureType()).isEqualTo(IOException.class.getName());
                        assertThat(replayed.failureMessage()).isEqualTo("declined");
                    });
            assertThat(runs).hasValue(0);
        }

        @Test
        void ofAnyKindIsTheOutcomeWhereThePolicySaysStore() {
            policy = policy.withOnFailure(OnFailure.STORE);

            assertThatThrownBy(() -> execute("k", failingWith(new IllegalStateException())))
                    .isInstanceOf(IllegalStateException.class);

            assertThatExceptionOfType(RecordedFailureException.class).isThrownBy(() -> call("k"));
        }

        @Test
        void thatIsARefusalOfAnotherOperationIsNoOutcome() throws Exception {
            Running inner = start("inner");
            policy = policy.withOnFailure(OnFailure.STORE);

            assertThatThrownBy(() -> execute("outer", () -> call("inner").value()))
                    .isInstanceOf(OperationInProgressException.class);
            inner.end();

            assertThat(execute("outer", () -> call("inner").value()).value()).isEqualTo("held");
        }

        @Test
        void holdsTheRecordWhereThePolicySaysHold() {
            policy = policy.withOnFailure(OnFailure.HOLD);

            assertThatThrownBy(() -> execute("k", failingWith(new IllegalStateException())))
                    .isInstanceOf(IllegalStateException.class);

            assertThatExceptionOfType(OperationInDoubtException.class).isThrownBy(() -> call("k"));
            assertThat(listener.events()).containsExactly("started", "held", "refused OperationInDoubtException");
        }

        @Test
        void thatIsAnErrorReleasesTheKeyToo() {
            assertThatThrownBy(() -> execute("k", () -> {
                        throw new AssertionError("broken");
                    }))
                    .isInstanceOf(AssertionError.class);

            assertThat(call("k").attempt()).isEqualTo(2);
        }
    }

    @Nested
    class TheProgrammaticDoor {

        @Test
        void givesTheValueAndSaysWhetherItWasReplayed() {
            IdempotentResult<String> first =
                    idempotency.operation("invoice").key("evt_1").execute(String.class, this::create);
            IdempotentResult<String> second =
                    idempotency.operation("invoice").key("evt_1").execute(String.class, this::create);

            assertThat(first).isEqualTo(new IdempotentResult<>("run 1", false, 1));
            assertThat(second).isEqualTo(new IdempotentResult<>("run 1", true, 1));
        }

        @Test
        void tellsScopesApartAndComparesFingerprints() {
            IdempotencyOperations.CallSpec ada =
                    idempotency.operation("invoice").key("evt_1").scope("ada").fingerprint(Fingerprint.of("10"));
            ada.execute(String.class, this::create);

            assertThat(idempotency
                            .operation("invoice")
                            .key("evt_1")
                            .scope("bob")
                            .execute(String.class, this::create)
                            .value())
                    .isEqualTo("run 2");
            assertThatExceptionOfType(FingerprintMismatchException.class)
                    .isThrownBy(() -> ada.fingerprint(Fingerprint.of("11")).execute(String.class, this::create));
        }

        @Test
        void takesThePolicyOfTheCall() {
            idempotency
                    .operation("invoice")
                    .key("evt_1")
                    .retention(Duration.ofMillis(50))
                    .execute(String.class, this::create);

            await().untilAsserted(() -> assertThat(idempotency
                            .operation("invoice")
                            .key("evt_1")
                            .execute(String.class, this::create)
                            .value())
                    .isEqualTo("run 2"));
        }

        private String create() {
            return "run " + runs.incrementAndGet();
        }
    }

    @Test
    void aListenerThatThrowsChangesNothing() {
        IdempotencyListener broken = new IdempotencyListener() {
            @Override
            public void executionStarted(Claim claim, boolean takeover) {
                throw new NoClassDefFoundError("planted");
            }
        };
        try (IdempotencyTemplate template = new IdempotencyTemplate(
                memory,
                type -> anyText(),
                new EngineSettings(NAMESPACE, Duration.ofSeconds(1), 0),
                policy,
                SurroundingTransaction.NONE,
                List.of(broken, listener))) {
            template.execute(request("k", "content"), TEXT, () -> "value");
        }

        assertThat(listener.events()).containsExactly("started", "recorded VALUE");
    }
}
