package io.idempotency.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idempotency.core.FaultyStore.Verb;
import io.idempotency.store.memory.InMemoryIdempotencyStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A flood of calls is no failure of the store: nobody agreed to run without protection because of it. */
class SaturatedStoreTests {

    private static final OperationPolicy PROCEED = OperationPolicy.DEFAULT.withOnStoreFailure(OnStoreFailure.PROCEED);

    private final FullStore store = new FullStore();

    private final RecordingListener listener = new RecordingListener();

    private final IdempotencyTemplate idempotency = new IdempotencyTemplate(
            store,
            type -> {
                throw new UnsupportedOperationException();
            },
            new EngineSettings("shop", Duration.ofSeconds(20), 1),
            OperationPolicy.DEFAULT,
            SurroundingTransaction.NONE,
            List.of(listener));

    @AfterEach
    void close() {
        idempotency.close();
    }

    @Test
    void aCallThatAFloodKeepsFromTheStoreIsRefusedThoughItsPolicySaysProceed() {
        store.silent = false;

        assertThatThrownBy(this::call)
                .isInstanceOf(IdempotencyStoreException.class)
                .hasMessageContaining("Admit fewer requests");
        assertThat(listener.events()).containsExactly("refused StoreSaturatedException");
    }

    @Test
    void aCallThatAFrozenStoreLeavesNoRoomForRunsWhereItsPolicySaysProceed() {
        store.silent = true;

        assertThat(call().value()).isEqualTo("ran");
        assertThat(listener.events()).containsExactly("unprotected");
    }

    @Test
    void aClaimThatAFloodKeepsFromItsAnswerIsRefusedAndReleased() {
        store.sent = true;

        assertThatThrownBy(this::call).hasMessageContaining("Admit fewer requests");
        idempotency.close();

        assertThat(listener.events()).containsExactly("refused StoreSaturatedException");
        assertThat(store.calls(Verb.RELEASE)).isPositive();
    }

    @Test
    void aClaimThatWasNeverSentIsNotReleased() {
        store.silent = true;
        call();

        idempotency.close();

        assertThat(store.calls(Verb.RELEASE)).isZero();
    }

    private IdempotentResult<String> call() {
        IdempotencyRequest request =
                new IdempotencyRequest(new IdempotencyKey("pay", null, "k"), Fingerprint.none(), PROCEED);
        return idempotency.execute(request, new TextCodec(), () -> "ran");
    }

    private static final class FullStore extends FaultyStore {

        private volatile boolean silent;

        private volatile boolean sent;

        FullStore() {
            super(new InMemoryIdempotencyStore(10));
        }

        @Override
        public ClaimOutcome claim(ClaimRequest request) {
            Duration timeout = Duration.ofSeconds(2);
            throw sent
                    ? StoreSaturatedException.notAnswered("claim", timeout, new TimeoutException())
                    : StoreSaturatedException.notSent("claim", timeout, silent);
        }
    }
}
