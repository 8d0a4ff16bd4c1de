package io.idempotency.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.idempotency.core.FaultyStore.Verb;
import io.idempotency.store.memory.InMemoryIdempotencyStore;
import io.idempotency.testsupport.CapturedLog;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An application stops in time though its store never answers, and says what it leaves behind. */
@Tag("faults")
@Tag("faults-long")
@Timeout(180)
class SilentStoreAtTheStopTests {

    private final CountDownLatch thaw = new CountDownLatch(1);

    private final FaultyStore store = new FaultyStore(new InMemoryIdempotencyStore(10));

    private final IdempotencyTemplate idempotency = new IdempotencyTemplate(
            store,
            type -> {
                throw new UnsupportedOperationException();
            },
            new EngineSettings("shop", Duration.ofMinutes(10), 1),
            OperationPolicy.DEFAULT,
            SurroundingTransaction.NONE,
            List.of());

    @Test
    void itsTimeLimitIsNotWaitedFor() {
        store.failing(Verb.COMPLETE, Integer.MAX_VALUE);
        call("outcome");
        store.frozen(Verb.COMPLETE, thaw).frozen(Verb.RELEASE, thaw).losingReplies(Verb.CLAIM, 1);
        long failed = store.calls(Verb.COMPLETE);
        assertThatExceptionOfType(IdempotencyStoreException.class).isThrownBy(() -> call("release"));
        await().until(() -> store.calls(Verb.COMPLETE) > failed && store.calls(Verb.RELEASE) > 0);
        long begin = System.nanoTime();

        try (CapturedLog ends = new CapturedLog(PendingEnds.class.getName(), "WARN");
                CapturedLog releases = new CapturedLog(AbandonedClaims.class.getName(), "WARN")) {
            idempotency.close();

            assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(30));
            assertThat(ends.lines()).singleElement().asString().contains("was not recorded");
            assertThat(releases.lines()).singleElement().asString().contains("; 1 claims");
        } finally {
            thaw.countDown();
        }
    }

    private void call(String key) {
        IdempotencyRequest request = new IdempotencyRequest(
                new IdempotencyKey("pay", null, key), Fingerprint.none(), OperationPolicy.DEFAULT);
        idempotency.execute(request, new TextCodec(), () -> "ran");
    }
}
