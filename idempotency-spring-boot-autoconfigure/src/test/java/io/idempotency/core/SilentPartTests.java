package io.idempotency.core;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.idempotency.store.memory.InMemoryIdempotencyStore;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A part of the store that is silent, such as a frozen node of a Cluster, keeps nothing from the others. */
@Timeout(60)
class SilentPartTests {

    private static final String SILENT = "silent";

    private final CountDownLatch thaw = new CountDownLatch(1);

    private final InMemoryIdempotencyStore memory = new InMemoryIdempotencyStore(100);

    private final IdempotencyTemplate idempotency = new IdempotencyTemplate(
            new PartlySilentStore(),
            type -> {
                throw new UnsupportedOperationException();
            },
            new EngineSettings("shop", Duration.ofSeconds(30), 1),
            OperationPolicy.DEFAULT,
            SurroundingTransaction.NONE,
            List.of());

    @AfterEach
    void close() {
        thaw.countDown();
        idempotency.close();
    }

    @Test
    void keepsNoOutcomeFromAnother() {
        call(SILENT);
        call("k");

        await().until(() -> state("k") == RecordState.COMPLETED);
    }

    @Test
    void keepsNoReleaseFromAnother() {
        assertThatExceptionOfType(IdempotencyStoreException.class).isThrownBy(() -> call(SILENT + " unanswered"));
        assertThatExceptionOfType(IdempotencyStoreException.class).isThrownBy(() -> call("unanswered"));

        await().until(() -> state("unanswered") == RecordState.RETRYABLE);
    }

    private void call(String key) {
        IdempotencyRequest request = new IdempotencyRequest(
                new IdempotencyKey("pay", null, key), Fingerprint.none(), OperationPolicy.DEFAULT);
        idempotency.execute(request, new TextCodec(), () -> "ran");
    }

    private RecordState state(String key) {
        return memory.find(identity(key)).orElseThrow().state();
    }

    private static Identity identity(String key) {
        return Identity.of("shop", "pay", null, key);
    }

    /** Loses the first reply to each claim with such a key, and fails the first recording of each. */
    private final class PartlySilentStore extends FaultyStore {

        private final Set<Identity> silent = Set.of(identity(SILENT), identity(SILENT + " unanswered"));

        private final Set<Identity> unanswered = Set.of(identity("unanswered"), identity(SILENT + " unanswered"));

        private final Set<Identity> failed = ConcurrentHashMap.newKeySet();

        PartlySilentStore() {
            super(memory);
        }

        @Override
        public ClaimOutcome claim(ClaimRequest request) {
            ClaimOutcome answer = super.claim(request);
            if (unanswered.contains(request.identity())) {
                throw new IdempotencyStoreException("planted", null);
            }
            return answer;
        }

        @Override
        public Ownership complete(Claim claim, Outcome outcome, Duration retention) {
            if (failed.add(claim.identity())) {
                throw new IdempotencyStoreException("planted", null);
            }
            awaitThaw(claim);
            return super.complete(claim, outcome, retention);
        }

        @Override
        public Ownership release(Claim claim, Duration retention) {
            awaitThaw(claim);
            return super.release(claim, retention);
        }

        private void awaitThaw(Claim claim) {
            try {
                if (silent.contains(claim.identity()) && !thaw.await(50, TimeUnit.SECONDS)) {
                    throw new IllegalStateException("Never thawed");
                }
            } catch (InterruptedException interrupted) {
                throw new IllegalStateException(interrupted);
            }
        }
    }
}
