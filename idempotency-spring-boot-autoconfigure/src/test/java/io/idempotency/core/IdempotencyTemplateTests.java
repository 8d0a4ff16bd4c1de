package io.idempotency.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.idempotency.core.FaultyStore.Verb;
import io.idempotency.store.memory.InMemoryIdempotencyStore;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(30)
class IdempotencyTemplateTests {

    private static final String NAMESPACE = "shop";

    private static final OutcomeCodec<String> TEXT = new TextCodec();

    private final InMemoryIdempotencyStore memory = new InMemoryIdempotencyStore(1_000);

    private final FaultyStore store = new FaultyStore(memory);

    private final RecordingListener listener = new RecordingListener();

    private final PlannedTransaction transaction = new PlannedTransaction();

    private final AtomicInteger runs = new AtomicInteger();

    private final ExecutorService threads = Executors.newCachedThreadPool();

    private final IdempotencyTemplate idempotency = template(2);

    private OperationPolicy policy = OperationPolicy.DEFAULT;

    @AfterEach
    void close() {
        threads.shutdownNow();
        idempotency.close();
    }

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

    @Nested
    class AnOutcomeThatCannotBeReplayed {

        @Test
        void isATombstoneAndItsCallerStillGetsTheValue() throws Exception {
            assertThat(execute("k", () -> TextCodec.UNRECORDABLE).value()).isEqualTo(TextCodec.UNRECORDABLE);

            assertThatExceptionOfType(OutcomeUnavailableException.class)
                    .isThrownBy(() -> call("k"))
                    .withMessageContaining("this text has no stored form");
            assertThat(runs).hasValue(0);
        }

        @ParameterizedTest
        @ValueSource(strings = {TextCodec.BREAKING, TextCodec.CRASHING})
        void becauseItsCodecIsBrokenIsATombstoneToo(String value) throws Exception {
            assertThat(execute("k", () -> value).value()).isEqualTo(value);

            assertThatExceptionOfType(OutcomeUnavailableException.class).isThrownBy(() -> call("k"));
            assertThat(runs).hasValue(0);
        }

        @Test
        void isFoundOutWhenItIsRecorded() throws Exception {
            execute("k", () -> TextCodec.UNREPLAYABLE);

            assertThat(listener.events()).containsExactly("started", "recorded TOMBSTONE");
        }

        @Test
        void becauseItWasStoredInAnotherFormatIsAClearErrorAndNothingRuns() {
            plant("k", new Outcome(Outcome.Kind.VALUE, "future/9", new byte[] {1}));

            assertThatExceptionOfType(OutcomeUnavailableException.class).isThrownBy(() -> call("k"));
            assertThat(runs).hasValue(0);
        }

        @Test
        void becauseItIsGarbageIsAClearErrorAndNothingRuns() {
            plant("k", Outcome.ofBytes(new byte[] {99, 98, 97}));

            assertThatExceptionOfType(OutcomeUnavailableException.class)
                    .isThrownBy(() -> call("k"))
                    .withMessageContaining("cannot read");
            assertThat(runs).hasValue(0);
        }

        private void plant(String key, Outcome outcome) {
            IdempotencyRequest request = request(key, "content");
            ClaimOutcome.Granted granted = (ClaimOutcome.Granted) memory.claim(ClaimRequest.of(
                    request.key().identity(NAMESPACE), request.fingerprint(), OwnerToken.random(), policy));
            memory.complete(granted.claim(), outcome, policy.retention());
        }
    }

    @Nested
    class AStoreThatFails {

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
            policy = policy.withLease(Duration.ofMillis(300)).withMaxDuration(Duration.ofMillis(1_200));
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
            policy = policy.withOnAbandoned(OnAbandoned.HOLD).withLease(Duration.ofMillis(100));
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

    @Nested
    class TheLease {

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
            policy = policy.withLease(Duration.ofMillis(150));
            IntStream.range(0, 100).forEach(number -> call("k" + number));

            long renewals = store.calls(Verb.RENEW);
            await().during(Duration.ofMillis(300)).until(() -> store.calls(Verb.RENEW) == renewals);
        }

        @Test
        void thatIsOverIsTakenOverAndTheStaleOwnerRecordsNothing() throws Exception {
            policy = policy.withLease(Duration.ofMillis(200)).withMaxDuration(Duration.ofMillis(200));
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
                        IdempotencyContext context =
                                IdempotencyContext.current().orElseThrow();
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

    @Nested
    class InsideATransaction {

        @Test
        void theOutcomeIsRecordedAfterTheCommit() {
            transaction.begin();

            call("k");
            assertThat(find("k")).isEqualTo(RecordState.IN_PROGRESS);
            transaction.end(SurroundingTransaction.End.COMMITTED);

            assertThat(find("k")).isEqualTo(RecordState.COMPLETED);
        }

        @Test
        void theKeyIsReleasedAfterTheRollback() {
            transaction.begin();

            call("k");
            transaction.end(SurroundingTransaction.End.ROLLED_BACK);

            assertThat(find("k")).isEqualTo(RecordState.RETRYABLE);
        }

        @Test
        void aDoubtStaysADoubtAfterTheRollback() {
            policy = policy.withOnFailure(OnFailure.HOLD);
            transaction.begin();

            assertThatThrownBy(() -> execute("k", failingWith(new IllegalStateException())))
                    .isInstanceOf(IllegalStateException.class);
            transaction.end(SurroundingTransaction.End.ROLLED_BACK);

            assertThat(find("k")).isEqualTo(RecordState.IN_DOUBT);
        }

        @Test
        void aFailureThatIsAnOutcomeIsRecordedAfterTheRollbackThatItCaused() {
            policy = policy.withRecordedFailures(Set.of(IllegalStateException.class));
            transaction.begin();

            assertThatThrownBy(() -> execute("k", failingWith(new IllegalStateException())))
                    .isInstanceOf(IllegalStateException.class);
            transaction.end(SurroundingTransaction.End.ROLLED_BACK);

            assertThat(find("k")).isEqualTo(RecordState.COMPLETED);
        }

        @Test
        void anUnknownEndHoldsTheRecord() {
            transaction.begin();

            call("k");
            transaction.end(SurroundingTransaction.End.UNKNOWN);

            assertThat(find("k")).isEqualTo(RecordState.IN_DOUBT);
        }

        /** Whether it was committed or rolled back, the attempt has failed. */
        @Test
        void anUnknownEndHoldsNothingThatHasFailedBefore() {
            transaction.begin();

            assertThatThrownBy(() -> execute("k", failingWith(new IllegalStateException())));
            transaction.end(SurroundingTransaction.End.UNKNOWN);

            assertThat(find("k")).isEqualTo(RecordState.RETRYABLE);
        }
    }

    @Nested
    class WorkThatEndsLater {

        @Test
        void isRecordedWhenItEnds() throws Exception {
            CompletableFuture<String> work = new CompletableFuture<>();

            CompletableFuture<IdempotentResult<String>> first =
                    idempotency.executeAsync(request("k", "content"), TEXT, () -> work);
            assertThat(first).isNotDone();
            assertThat(find("k")).isEqualTo(RecordState.IN_PROGRESS);
            work.complete("later");

            assertThat(first.get()).isEqualTo(new IdempotentResult<>("later", false, 1));
            assertThat(idempotency
                            .executeAsync(
                                    request("k", "content"),
                                    TEXT,
                                    () -> CompletableFuture.<String>failedFuture(new IllegalStateException()))
                            .get())
                    .isEqualTo(new IdempotentResult<>("later", true, 1));
        }

        @Test
        void leavesADoubtWhenItIsCancelled() {
            CompletableFuture<String> work = new CompletableFuture<>();
            CompletableFuture<IdempotentResult<String>> first =
                    idempotency.executeAsync(request("k", "content"), TEXT, () -> work);

            work.cancel(true);

            assertThat(first).isCompletedExceptionally();
            assertThat(find("k")).isEqualTo(RecordState.IN_DOUBT);
        }

        @Test
        void thatGivesNoStageReleasesTheKey() {
            assertThatThrownBy(() -> idempotency.executeAsync(request("k", "content"), TEXT, () -> nothing()))
                    .isInstanceOf(NullPointerException.class);

            assertThat(find("k")).isEqualTo(RecordState.RETRYABLE);
        }

        @SuppressWarnings("NullAway") // what user code may do
        private CompletableFuture<String> nothing() {
            return null;
        }

        @Test
        void releasesTheKeyWhenItFails() {
            IOException failure = new IOException();
            CompletableFuture<String> work = new CompletableFuture<>();
            CompletableFuture<IdempotentResult<String>> first =
                    idempotency.executeAsync(request("k", "content"), TEXT, () -> work);

            work.completeExceptionally(failure);

            assertThatThrownBy(first::join)
                    .isInstanceOf(CompletionException.class)
                    .hasCause(failure);
            assertThat(find("k")).isEqualTo(RecordState.RETRYABLE);
        }
    }

    @Nested
    class TheContext {

        @Test
        void isBoundWhileTheWorkRunsAndClearedAfterwards() throws Exception {
            execute("k", () -> {
                IdempotencyContext context = IdempotencyContext.current().orElseThrow();
                assertThat(context.identity().operation()).isEqualTo("pay");
                assertThat(context.attempt()).isEqualTo(1);
                return "done";
            });

            assertThat(IdempotencyContext.current()).isEmpty();
        }

        @Test
        void isClearedAfterAFailureAndAReplayAndARefusal() throws Exception {
            assertThatThrownBy(() -> execute("k", failingWith(new IllegalStateException())))
                    .isInstanceOf(IllegalStateException.class);
            assertThat(IdempotencyContext.current()).isEmpty();
            call("k");
            call("k");
            assertThat(IdempotencyContext.current()).isEmpty();
            assertThatThrownBy(() -> idempotency.execute(request("k", "other"), TEXT, () -> "never"))
                    .isInstanceOf(FingerprintMismatchException.class);
            assertThat(IdempotencyContext.current()).isEmpty();
        }

        @Test
        void ofTheOuterOperationComesBackAfterTheInnerOne() throws Exception {
            execute("outer", () -> {
                IdempotencyContext outer = IdempotencyContext.current().orElseThrow();
                call("inner");
                assertThat(IdempotencyContext.current()).containsSame(outer);
                return "done";
            });
        }

        @Test
        void isNotInheritedByOtherThreadsButFollowsAWrappedTask() throws Exception {
            execute("k", () -> {
                Callable<Boolean> isBound = () -> IdempotencyContext.current().isPresent();
                assertThat(joined(threads.submit(isBound))).isFalse();
                assertThat(joined(threads.submit(IdempotencyContext.wrap(isBound))))
                        .isTrue();
                assertThat(joined(threads.submit(isBound))).isFalse();
                return "done";
            });
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

    private IdempotencyTemplate template(int maxWaiters) {
        return new IdempotencyTemplate(
                store,
                type -> anyText(),
                new EngineSettings(NAMESPACE, Duration.ofSeconds(1), maxWaiters),
                OperationPolicy.DEFAULT,
                transaction,
                List.of(listener));
    }

    @SuppressWarnings({"unchecked", "rawtypes"}) // every value in these tests is a text
    private static OutcomeCodec<Object> anyText() {
        return (OutcomeCodec) TEXT;
    }

    private IdempotencyRequest request(String key, String content) {
        return new IdempotencyRequest(new IdempotencyKey("pay", null, key), Fingerprint.of(content), policy);
    }

    private IdempotentResult<String> call(String key) {
        return idempotency.execute(request(key, "content"), TEXT, () -> "run " + runs.incrementAndGet());
    }

    private IdempotentResult<String> execute(String key, Callable<String> work) throws Exception {
        return idempotency.execute(request(key, "content"), TEXT, work::call);
    }

    private RecordState find(String key) {
        return memory.find(request(key, "content").key().identity(NAMESPACE))
                .orElseThrow()
                .state();
    }

    private static Callable<String> failingWith(Exception failure) {
        return () -> {
            throw failure;
        };
    }

    private static <T> T joined(Future<T> future) throws Exception {
        return future.get();
    }

    private Running start(String key) throws InterruptedException {
        CountDownLatch started = new CountDownLatch(1);
        CompletableFuture<String> end = new CompletableFuture<>();
        Future<IdempotentResult<String>> result = threads.submit(() -> execute(key, () -> {
            started.countDown();
            return end.get();
        }));
        started.await();
        return new Running(end, result);
    }

    /** An execution that holds its claim until the test ends it. */
    private record Running(CompletableFuture<String> work, Future<IdempotentResult<String>> answer) {

        void end() throws Exception {
            work.complete("held");
            answer.get();
        }

        void fail() {
            work.completeExceptionally(new IllegalStateException("planted"));
        }

        IdempotentResult<String> result() throws Exception {
            return answer.get();
        }
    }

    /** A transaction that the test begins and ends. */
    private static final class PlannedTransaction implements SurroundingTransaction {

        private volatile boolean active;

        private volatile Consumer<End> callback = end -> {};

        void begin() {
            active = true;
        }

        void end(End end) {
            active = false;
            callback.accept(end);
        }

        @Override
        public boolean isActive() {
            return active;
        }

        @Override
        public void afterCompletion(Consumer<End> callback) {
            this.callback = callback;
        }
    }
}
