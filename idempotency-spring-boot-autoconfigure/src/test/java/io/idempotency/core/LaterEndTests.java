package io.idempotency.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Work that ends on another thread, and what knows its operation. */
class LaterEndTests extends WithAnEngine {

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
        void thatEndsByARefusalOfAnotherOperationHasNoOutcome() {
            policy = policy.withOnFailure(OnFailure.STORE);

            assertThat(idempotency.executeAsync(
                            request("k", "content"),
                            TEXT,
                            () -> CompletableFuture.<String>failedFuture(
                                    new IdempotencyStoreException("planted", null))))
                    .isCompletedExceptionally();

            assertThat(find("k")).isEqualTo(RecordState.RETRYABLE);
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
}
