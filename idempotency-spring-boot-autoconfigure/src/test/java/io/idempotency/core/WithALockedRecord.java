package io.idempotency.core;

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

/** A lease whose record is locked by transactions, by a clock that stands still until a test moves it. */
abstract class WithALockedRecord {

    static final Duration LEASE = Duration.ofSeconds(30);

    private static final StepIdentity STEP = StepIdentity.of("book", null);

    /** Stands still as the clock does: what it is given is never run. */
    private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();

    final RecordingListener listener = new RecordingListener();

    final LockingStore store = new LockingStore();

    final List<String> told = new ArrayList<>();

    long now;

    /** Comes in between, as another thread would. */
    Runnable beforeTheClockIsRead = () -> {};

    final PlannedWorkTransaction transaction = new PlannedWorkTransaction();

    final LeaseRenewer renewer = new LeaseRenewer(store, new Listeners(List.of(listener)), scheduler, () -> now);

    private final LockedTransactions transactions =
            new LockedTransactions(store, (operation, settings, timeout) -> transaction, renewer);

    final Lease lease = new Lease(
            new Claim(Identity.of("shop", "order", null, "k"), OwnerToken.random(), 1, LEASE),
            Duration.ofHours(1),
            now,
            this::readTheClock);

    @BeforeEach
    void stopTheScheduler() {
        scheduler.shutdownNow();
    }

    void fails(Runnable work) {
        assertThatIllegalStateException()
                .isThrownBy(() -> step(() -> {
                    work.run();
                    throw new IllegalStateException("declined");
                }))
                .withMessage("declined");
    }

    String step(Runnable work) {
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

    void pass(int seconds) {
        now += Duration.ofSeconds(seconds).toNanos();
    }

    long secondsLeft() {
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
    final class LockingStore extends FaultyStore implements TransactionalStore {

        RecordLock lock = RecordLock.LOCKED;

        Optional<Renewal> answer = Optional.of(Renewal.RENEWED);

        Runnable whileRecording = () -> {};

        boolean broken;

        int renewals;

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
