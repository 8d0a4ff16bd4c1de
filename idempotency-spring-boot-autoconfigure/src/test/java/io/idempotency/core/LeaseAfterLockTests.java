package io.idempotency.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.idempotency.store.memory.InMemoryIdempotencyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The holder's view of a lease that was a lock meanwhile, by a clock that stands still until a test moves it. */
class LeaseAfterLockTests {

    private static final Duration LEASE = Duration.ofSeconds(30);

    private static final StepIdentity STEP = StepIdentity.of("book", null);

    /** Stands still as the clock does: what it is given is never run. */
    private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();

    private final RecordingListener listener = new RecordingListener();

    private final LockingStore store = new LockingStore();

    private final List<String> told = new ArrayList<>();

    private long now;

    /** Comes in between, as another thread would. */
    private Runnable beforeTheClockIsRead = () -> {};

    private final PlannedWorkTransaction transaction = new PlannedWorkTransaction();

    private final LeaseRenewer renewer =
            new LeaseRenewer(store, new Listeners(List.of(listener)), scheduler, () -> now);

    private final LockedTransactions transactions =
            new LockedTransactions(store, (operation, settings, timeout) -> transaction, renewer);

    private final Lease lease = new Lease(
            new Claim(Identity.of("shop", "order", null, "k"), OwnerToken.random(), 1, LEASE),
            Duration.ofHours(1),
            now,
            this::readTheClock);

    @BeforeEach
    void stopTheScheduler() {
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
        transaction.failToCommit(new IllegalStateException("planted"), SurroundingTransaction.End.UNKNOWN);

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

    @Test
    void aLockShowsThatALeaseThatPassedWasNotLost() {
        pass(100);
        assertThat(lease.isLost()).isTrue();

        step(() -> assertThat(lease.isLost()).isFalse());

        assertThat(lease.isLost()).isFalse();
    }

    @Test
    void everyLossIsToldAlsoOneAfterALockThatUndidTheFirst() {
        renewer.watch(lease);
        store.answer = Optional.empty();
        pass(100);
        renewer.renewDue();
        renewer.renewDue();
        step(() -> pass(1));
        assertThat(listener.events()).containsExactly("lost");

        pass(100);
        renewer.renewDue();
        renewer.renewDue();

        assertThat(listener.events()).containsExactly("lost", "lost");
    }

    @Test
    void aLossThatIsFoundWhileTheRecordIsBeingLockedIsNotTold() {
        renewer.watch(lease);
        pass(100);
        assertThat(lease.isLost()).isTrue();
        beforeTheClockIsRead = () -> {
            beforeTheClockIsRead = () -> {};
            lease.locked();
        };

        renewer.renewDue();
        lease.unlocked();

        assertThat(lease.isLost()).isFalse();
        assertThat(listener.events()).isEmpty();
    }

    @Test
    void aLockThatComesWhileAnotherThreadReadsTheClockIsNoLoss() {
        pass(29);
        beforeTheClockIsRead = () -> {
            beforeTheClockIsRead = () -> {};
            lease.locked();
            pass(100);
        };
        boolean lost = lease.isLost();
        lease.renewed(now);
        lease.unlocked();

        assertThat(lost).isFalse();
        assertThat(lease.isLost()).isFalse();
    }

    @Test
    void aRenewalThatFindsTheRecordLockedDoesNotPutOffTheNextOne() {
        fails(() -> {
            pass(29);
            // What was sent before the lock is answered now.
            lease.renewalMissed(now);
        });

        assertThat(store.renewals).isEqualTo(1);
        assertThat(secondsLeft()).isEqualTo(LEASE.toSeconds());
    }

    @Test
    void anAnswerThatArrivesLateShortensNoLease() {
        step(() -> pass(100));

        lease.renewed(0);

        assertThat(secondsLeft()).isEqualTo(LEASE.toSeconds());
    }

    @Test
    void whatTheStoreSaysStaysWhateverIsLocked() {
        lease.locked();
        lease.markLost();
        lease.unlocked();
        assertThat(lease.isLost()).isTrue();

        lease.locked();

        assertThat(lease.isLost()).isTrue();
    }

    @Test
    void whatIsCommittedIsToldBeforeItsLeaseIsRenewed() {
        store.whileRecording = () -> pass(100);

        step(() -> {});

        assertThat(told).containsExactly("committed", "renewed");
    }

    @Test
    void aRenewalThatBreaksAfterTheCommitHidesNoResult() {
        store.whileRecording = () -> pass(100);
        store.broken = true;

        assertThat(step(() -> {})).isEqualTo("booked");

        assertThat(told).containsExactly("committed", "renewed");
        assertThat(transaction.events()).containsExactly("flushed", "committed");
    }

    @Test
    void aLockThatIsFoundLostIsToldAlsoWhereItsTransactionBreaks() {
        store.lock = RecordLock.LOST;
        transaction.failToRollBack(new IllegalStateException("planted"));

        assertThatExceptionOfType(ClaimLostException.class).isThrownBy(() -> step(() -> pass(1)));

        assertThat(listener.events()).containsExactly("lost");
    }

    private void fails(Runnable work) {
        assertThatIllegalStateException()
                .isThrownBy(() -> step(() -> {
                    work.run();
                    throw new IllegalStateException("declined");
                }))
                .withMessage("declined");
    }

    private String step(Runnable work) {
        RecordAccess access = new RecordAccess(lease);
        return access.exclusive(() -> new TransactionalSteps(transactions)
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
                        new Commits()));
    }

    private long readTheClock() {
        beforeTheClockIsRead.run();
        return now;
    }

    private void pass(int seconds) {
        now += Duration.ofSeconds(seconds).toNanos();
    }

    private long secondsLeft() {
        return Duration.ofNanos(lease.nanosUntilEnd(now)).toSeconds();
    }

    private final class Commits implements TransactionalSteps.Commits {

        @Override
        public void committed(StepRecord step) {
            told.add("committed");
        }

        @Override
        public void unknown(StepIdentity step) {
            told.add("unknown");
        }
    }

    /** Keeps a record locked, and answers renewals as the test says. */
    private final class LockingStore extends FaultyStore implements TransactionalStore {

        private RecordLock lock = RecordLock.LOCKED;

        private Optional<Renewal> answer = Optional.of(Renewal.RENEWED);

        private Runnable whileRecording = () -> {};

        private boolean broken;

        private int renewals;

        LockingStore() {
            super(new InMemoryIdempotencyStore(1));
        }

        @Override
        public Map<Claim, Renewal> renew(Collection<Claim> claims) {
            renewals++;
            told.add("renewed");
            if (broken) {
                throw new IllegalStateException("planted");
            }
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
