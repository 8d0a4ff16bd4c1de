package io.idempotency.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.idempotency.store.memory.InMemoryIdempotencyStore;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The holder's view of a lease that was a lock meanwhile, by a clock that stands still until a test moves it. */
class LeaseAfterLockTests {

    private static final Duration LEASE = Duration.ofSeconds(30);

    private static final StepIdentity STEP = StepIdentity.of("book", null);

    private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();

    private final RecordingListener listener = new RecordingListener();

    private final LockingStore store = new LockingStore();

    private long now;

    private final PlannedWorkTransaction transaction = new PlannedWorkTransaction(true);

    private final LeaseRenewer renewer =
            new LeaseRenewer(store, new Listeners(List.of(listener)), scheduler, () -> now);

    private final LockedTransactions transactions =
            new LockedTransactions(store, (operation, settings, timeout) -> transaction, renewer);

    private final Lease lease = new Lease(
            new Claim(Identity.of("shop", "order", null, "k"), OwnerToken.random(), 1, LEASE),
            Duration.ofHours(1),
            now,
            () -> now);

    @AfterEach
    void shutdown() {
        scheduler.shutdownNow();
    }

    @Test
    void whatIsCommittedStartsTheLeaseAnewWhenItsRecordWasSent() {
        store.whileRecording = () -> pass(7);

        step(() -> pass(100));

        assertThat(secondsLeft()).isEqualTo(LEASE.toSeconds() - 7);
        assertThat(lease.isLost()).isFalse();
        assertThat(store.renewals).isZero();
    }

    @Test
    void aRollbackLeavesTheLeaseAsItWas() {
        fails(() -> pass(3));

        assertThat(secondsLeft()).isEqualTo(LEASE.toSeconds() - 3);
        assertThat(store.renewals).isZero();
    }

    @Test
    void aLeaseThatIsDueAfterARollbackIsRenewedAtOnce() {
        fails(() -> pass(100));

        assertThat(store.renewals).isEqualTo(1);
        assertThat(secondsLeft()).isEqualTo(LEASE.toSeconds());
        assertThat(lease.isLost()).isFalse();
        assertThat(listener.events()).isEmpty();
    }

    @Test
    void aLeaseThatPassedUnderALockAndCannotBeRenewedIsLost() {
        store.answer = Optional.empty();

        fails(() -> pass(100));

        assertThat(lease.isLost()).isTrue();
    }

    @Test
    void aClaimThatWasTakenOverAfterARollbackIsLostAtOnce() {
        store.answer = Optional.of(Renewal.LOST);

        fails(() -> pass(15));

        assertThat(lease.isLost()).isTrue();
        assertThat(listener.events()).containsExactly("lost");
        assertThat(renewer.watched()).isZero();
    }

    @Test
    void aCommitThatFailedStartsNoLeaseAnew() {
        transaction.failToCommit(new IllegalStateException("planted"));

        assertThatIllegalStateException().isThrownBy(() -> step(() -> pass(5)));

        assertThat(secondsLeft()).isEqualTo(LEASE.toSeconds() - 5);
    }

    @Test
    void aLockThatIsFoundLostIsToldAtOnce() {
        store.lock = RecordLock.LOST;

        assertThatExceptionOfType(ClaimLostException.class).isThrownBy(() -> step(() -> pass(1)));

        assertThat(lease.isLost()).isTrue();
        assertThat(listener.events()).containsExactly("lost");
        assertThat(transaction.events()).containsExactly("rolled back");
    }

    private void fails(Runnable work) {
        assertThatIllegalStateException()
                .isThrownBy(() -> step(() -> {
                    work.run();
                    throw new IllegalStateException("declined");
                }))
                .withMessage("declined");
    }

    private void step(Runnable work) {
        RecordAccess access = new RecordAccess(lease);
        access.exclusive(() -> new TransactionalSteps(transactions)
                .run(
                        lease,
                        access,
                        STEP,
                        TransactionSettings.DEFAULT,
                        () -> {
                            work.run();
                            return "booked";
                        },
                        value -> new StepRecord(STEP, StepState.RUNNING, Fingerprint.none(), 1, null),
                        unknown -> {}));
    }

    private void pass(int seconds) {
        now += Duration.ofSeconds(seconds).toNanos();
    }

    private long secondsLeft() {
        return Duration.ofNanos(lease.nanosUntilEnd(now)).toSeconds();
    }

    /** Keeps a record locked, and answers renewals as the test says. */
    private static final class LockingStore extends FaultyStore implements TransactionalStore {

        private RecordLock lock = RecordLock.LOCKED;

        private Optional<Renewal> answer = Optional.of(Renewal.RENEWED);

        private Runnable whileRecording = () -> {};

        private int renewals;

        LockingStore() {
            super(new InMemoryIdempotencyStore(1));
        }

        @Override
        public Map<Claim, Renewal> renew(Collection<Claim> claims) {
            renewals++;
            Renewal renewal = answer.orElseThrow(() -> new IdempotencyStoreException("planted", null));
            return claims.stream().collect(Collectors.toMap(Function.identity(), claim -> renewal));
        }

        @Override
        public Optional<String> obstacle() {
            return Optional.empty();
        }

        @Override
        public RecordLock lock(Claim claim) {
            return lock;
        }

        @Override
        public Ownership recordStepInTransaction(Claim claim, StepRecord step) {
            whileRecording.run();
            return Ownership.OWNED;
        }

        @Override
        public Ownership completeInTransaction(Claim claim, Outcome outcome, Duration retention) {
            return Ownership.OWNED;
        }
    }
}
