package io.idempotency.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idempotency.core.PendingEnds.PendingEnd;
import io.idempotency.store.memory.InMemoryIdempotencyStore;
import io.idempotency.testsupport.CapturedLog;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Rule 4: what the store did not take is tried again. The clock stands still until a test moves it. */
@Timeout(60)
class PendingEndsTests {

    private static final ExecutionEnd OUTCOME = new ExecutionEnd.Complete(Outcome.tombstone("ended"));

    private static final ExecutionEnd HOLD = new ExecutionEnd.Hold();

    private static final ExecutionEnd RELEASE = new ExecutionEnd.Release();

    private static final Duration LEASE = Duration.ofSeconds(30);

    private static final Duration MAX_DURATION = Duration.ofMinutes(15);

    private final AtomicLong now = new AtomicLong();

    private final ScheduledExecutorService renewals = Executors.newSingleThreadScheduledExecutor();

    private final LeaseRenewer renewer =
            new LeaseRenewer(new InMemoryIdempotencyStore(10), new Listeners(List.of()), renewals, now::get);

    private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();

    private final PendingEnds pending = new PendingEnds(renewer, scheduler, now::get);

    private final List<ExecutionEnd> tried = new CopyOnWriteArrayList<>();

    private volatile Predicate<ExecutionEnd> accepted = end -> false;

    @AfterEach
    void shutdown() {
        accepted = end -> true;
        pending.close();
        renewals.shutdownNow();
    }

    @Test
    void theEndThatIsBeingTriedWhenTheApplicationStopsIsTriedOnceMore() throws Exception {
        CountDownLatch trying = new CountDownLatch(1);
        accepted = end -> {
            trying.countDown();
            return tried.size() > 1 || isInterrupted();
        };
        pending.add(end(OUTCOME));
        assertThat(trying.await(30, TimeUnit.SECONDS)).isTrue();

        pending.close();

        assertThat(tried).containsExactly(OUTCOME, OUTCOME);
    }

    @Test
    void anOutcomeIsRecordedThoughMaxDurationPassedWhileNothingCouldBeTried() {
        pending.add(end(OUTCOME));
        advance(MAX_DURATION);
        accepted = end -> true;

        await().until(() -> !tried.isEmpty());
        assertThat(tried).containsOnly(OUTCOME);
    }

    @Test
    void anOutcomeThatIsRefusedEvenAtMaxDurationBecomesAHold() {
        advance(MAX_DURATION);
        accepted = end -> end instanceof ExecutionEnd.Hold;

        pending.add(end(OUTCOME));

        await().until(() -> tried.contains(HOLD));
        assertThat(tried).containsExactly(OUTCOME, HOLD);
    }

    @Test
    void aReleaseIsTriedForLongerThanItsLeaseSinceTheStoreMayApplyARenewalWhenItComesBack() {
        advance(LEASE.multipliedBy(3));
        pending.add(end(RELEASE));

        await().until(() -> tried.size() > 2);
        assertThat(tried).containsOnly(RELEASE);
    }

    @Test
    void anEndIsGivenUpAndSaidSoWhenItsRecordMayBeGone() {
        try (CapturedLog log = new CapturedLog(PendingEnds.class.getName(), "WARN")) {
            advance(MAX_DURATION.plus(LEASE));
            pending.add(end(OUTCOME));

            await().until(() -> log.lines().stream().anyMatch(line -> line.contains("was not recorded")));
        }
        pending.close();
        assertThat(tried).containsExactly(OUTCOME);
    }

    @Test
    void closingTriesForAFewSecondsOnlyAndSaysWhatIsLeft() {
        scheduler.execute(this::isInterrupted);
        accepted = end -> {
            advance(Duration.ofSeconds(6));
            return true;
        };
        pending.add(end(HOLD));
        pending.add(end(HOLD));
        pending.add(end(HOLD));

        try (CapturedLog log = new CapturedLog(PendingEnds.class.getName(), "WARN")) {
            pending.close();

            assertThat(log.lines()).hasSize(1).allMatch(line -> line.contains("the application stops"));
        }
        assertThat(tried).hasSize(2);
    }

    @Test
    void anOutcomeIsKeptHoweverManyReleasesAndHoldsWait() {
        scheduler.execute(this::isInterrupted);
        for (int number = 0; number < PendingEnds.MAX_OUTCOMES; number++) {
            pending.add(end(number % 2 == 0 ? RELEASE : HOLD));
        }
        pending.add(end(OUTCOME));

        accepted = end -> true;
        pending.close();

        assertThat(tried).contains(OUTCOME);
    }

    @Test
    void anOutcomeBeyondTheLimitBecomesAHoldAndThatIsSaid() {
        scheduler.execute(this::isInterrupted);
        for (int number = 0; number < PendingEnds.MAX_OUTCOMES; number++) {
            pending.add(end(OUTCOME));
        }

        try (CapturedLog log = new CapturedLog(PendingEnds.class.getName(), "WARN")) {
            pending.add(end(OUTCOME));

            assertThat(log.lines()).singleElement().asString().contains("left in doubt");
        }
        accepted = end -> true;
        pending.close();
        assertThat(tried).hasSize(PendingEnds.MAX_OUTCOMES + 1).containsOnlyOnce(HOLD);
    }

    @Test
    void roomForAnOutcomeIsThereAgainWhenAnotherIsRecorded() {
        accepted = end -> true;
        for (int number = 0; number < PendingEnds.MAX_OUTCOMES; number++) {
            pending.add(end(OUTCOME));
        }
        await().until(() -> tried.size() == PendingEnds.MAX_OUTCOMES);

        try (CapturedLog log = new CapturedLog(PendingEnds.class.getName(), "WARN")) {
            // The last one may still be on its way out.
            IntStream.range(1, PendingEnds.MAX_OUTCOMES).forEach(number -> pending.add(end(OUTCOME)));

            assertThat(log.lines()).isEmpty();
        }
    }

    @Test
    void anEndThatComesAfterTheCloseIsTriedOnceAndLostOnlyIfTheStoreRefusesIt() {
        pending.close();
        accepted = end -> end instanceof ExecutionEnd.Complete;

        try (CapturedLog log = new CapturedLog(PendingEnds.class.getName(), "WARN")) {
            pending.add(end(OUTCOME));
            assertThat(log.lines()).isEmpty();

            pending.add(end(HOLD));
            assertThat(log.lines()).singleElement().asString().contains("the application stops");
        }
        assertThat(tried).containsExactly(OUTCOME, HOLD);
    }

    private boolean isInterrupted() {
        try {
            return new CountDownLatch(1).await(30, TimeUnit.SECONDS);
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private PendingEnd end(ExecutionEnd end) {
        Claim claim = new Claim(Identity.of("shop", "pay", null, "k"), OwnerToken.random(), 1, LEASE);
        return new PendingEnd(new Lease(claim, MAX_DURATION, 0, now::get), end, this::record);
    }

    private void record(ExecutionEnd end) {
        tried.add(end);
        if (!accepted.test(end)) {
            throw new IdempotencyStoreException("planted", null);
        }
    }

    private void advance(Duration duration) {
        now.addAndGet(duration.toNanos());
    }
}
