package io.idempotency.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class AsyncCompletionTests {

    private final AsyncCompletion completion = new AsyncCompletion();

    @Test
    void whatIsCompletedOutsideOfADispatchIsOver() {
        assertThat(completion.complete()).isTrue();
    }

    @Test
    void whatIsCompletedDuringADispatchIsOverWithThat() {
        completion.beginDispatch();

        assertThat(completion.complete()).isFalse();
        assertThat(completion.complete()).isFalse();
        assertThat(completion.endDispatch()).isTrue();
    }

    @Test
    void aDispatchInWhichNothingWasCompletedEndsNothing() {
        completion.beginDispatch();

        assertThat(completion.endDispatch()).isFalse();
        assertThat(completion.complete()).isTrue();
    }

    @Test
    void theNextDispatchKnowsNothingOfTheOneBefore() {
        completion.beginDispatch();
        completion.complete();
        completion.endDispatch();

        completion.beginDispatch();

        assertThat(completion.endDispatch()).isFalse();
    }

    @Test
    void whoeverIsLastTellsThatItIsOver() throws Exception {
        ExecutorService other = Executors.newSingleThreadExecutor();
        try {
            for (int round = 0; round < 20_000; round++) {
                completion.beginDispatch();
                AtomicBoolean begun = new AtomicBoolean();
                Future<Boolean> completed = other.submit(() -> {
                    begun.set(true);
                    return completion.complete();
                });
                while (!begun.get()) {
                    Thread.onSpinWait();
                }

                boolean overWithTheDispatch = completion.endDispatch();

                assertThat(overWithTheDispatch).isNotEqualTo(completed.get());
            }
        } finally {
            other.shutdownNow();
        }
    }
}
