package io.idempotency.core;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The steps of an execution that holds a claim. */
final class ClaimedSteps implements StepJournal {

    private static final Logger logger = LoggerFactory.getLogger(ClaimedSteps.class);

    private final Lease lease;

    private final OperationPolicy policy;

    private final StepServices services;

    private final RecordAccess access;

    /** What was recorded, by earlier attempts or by this one. */
    private final Map<StepIdentity, StepRecord> recorded = new ConcurrentHashMap<>();

    private final AskedSteps asked;

    private final TransactionalSteps.Commits commits = new TransactionalSteps.Commits() {
        @Override
        public void committed(StepRecord step) {
            recorded(step);
        }

        @Override
        public void unknown(StepIdentity step) {
            asked.unknown(step);
        }
    };

    private volatile boolean inDoubt;

    private volatile boolean ended;

    /** @param recorded by earlier attempts */
    ClaimedSteps(Lease lease, OperationPolicy policy, List<StepRecord> recorded, StepServices services) {
        this.lease = lease;
        this.policy = policy;
        this.services = services;
        this.access = new RecordAccess(lease);
        this.asked = new AskedSteps(lease.claim().identity());
        recorded.forEach(step -> this.recorded.put(step.step(), step));
    }

    @Override
    public Identity operation() {
        return lease.claim().identity();
    }

    @Override
    public long attempt() {
        return lease.claim().attempt();
    }

    @Override
    public UUID key(StepIdentity step) {
        return step.keyIn(operation());
    }

    @Override
    public boolean knowsEarlierAttempts() {
        return true;
    }

    @Override
    public Optional<StepRecord> begin(StepIdentity step) {
        return begin(step, services.obstacles().find(policy, access.isLockedHere()));
    }

    @Override
    public Optional<StepRecord> beginTransactional(StepIdentity step, TransactionSettings settings) {
        return begin(step, services.obstacles().findTransactional(policy, access.lockedHere(), settings));
    }

    private Optional<StepRecord> begin(StepIdentity step, Optional<String> obstacle) {
        obstacle.ifPresent(reason -> {
            throw new IllegalStateException("Step '%s' cannot run here: %s".formatted(step.name(), reason));
        });
        if (lease.isLost()) {
            throw lost();
        }
        if (ended) {
            throw late(step, "was asked for");
        }
        asked.begin(step);
        StepRecord known = recorded.get(step);
        if (known != null && known.state() == StepState.DONE) {
            services.listeners().tell(listener -> listener.stepSkipped(lease.claim(), step));
        } else {
            services.listeners().tell(listener -> listener.stepStarted(lease.claim(), step));
        }
        return Optional.ofNullable(known);
    }

    @Override
    public void failed(StepIdentity step) {
        asked.failed(step);
        services.listeners().tell(listener -> listener.stepFailed(lease.claim(), step));
    }

    @Override
    public void record(StepRecord step) {
        requireOwned(step.step(), access.shared(() -> services.store().recordStep(lease.claim(), step)));
        recorded(step);
    }

    private void recorded(StepRecord step) {
        recorded.put(step.step(), step);
        if (step.state() == StepState.DONE) {
            services.listeners().tell(listener -> listener.stepRecorded(lease.claim(), step.step()));
        }
    }

    @Override
    public void forget(StepIdentity step) {
        requireOwned(step, access.shared(() -> services.store().forgetStep(lease.claim(), step)));
        recorded.remove(step);
    }

    @Override
    public <T extends @Nullable Object, E extends Throwable> T runTransactional(
            StepIdentity step,
            TransactionSettings settings,
            IdempotentWork<T, E> work,
            Function<? super T, StepRecord> record)
            throws E {
        Optional<LockedTransaction> locked = access.lockedHere();
        if (locked.isPresent()) {
            return locked.get().join(step, work, result -> recordJoined(record.apply(result)));
        }
        return access.exclusive(
                () -> services.transactional().run(lease, access, step, settings, work, record, commits));
    }

    /** Records a step in the transaction that keeps the record locked, whose end decides about it. */
    private void recordJoined(StepRecord done) {
        services.transactional().record(lease.claim(), done);
        services.surrounding().afterCompletion(end -> {
            switch (end) {
                case COMMITTED -> recorded(done);
                case ROLLED_BACK -> {
                    asked.undone(done.step());
                    services.listeners().tell(listener -> listener.stepFailed(lease.claim(), done.step()));
                }
                case REFUSED, UNKNOWN -> asked.unknown(done.step());
            }
        });
    }

    /** Runs work in a transaction of the calling thread that keeps the record locked. */
    <T extends @Nullable Object, E extends Throwable> T whileLocked(
            LockedTransaction transaction, IdempotentWork<T, E> work) throws E {
        return access.exclusive(() -> {
            access.lockedBy(transaction);
            return work.run();
        });
    }

    private void requireOwned(StepIdentity step, Ownership ownership) {
        if (ownership == Ownership.LOST) {
            if (ended) {
                // Its own end has taken the claim from it, and nobody else.
                throw late(step, "ended");
            }
            services.renewer().lost(lease);
            throw lost();
        }
    }

    private IllegalStateException late(StepIdentity step, String what) {
        return new IllegalStateException(
                ("Step '%s' %s after operation %s had ended; let it wait for all that it has begun on other threads, also when"
                                + " it fails")
                        .formatted(step.name(), what, operation()));
    }

    private ClaimLostException lost() {
        return new ClaimLostException(operation(), attempt());
    }

    @Override
    public void doubt() {
        inDoubt = true;
    }

    /**
     * Lets each step be asked for once more.
     *
     * @throws ClaimLostException if the claim is lost: the work may be running elsewhere
     */
    void startOver() {
        if (lease.isLost()) {
            throw lost();
        }
        asked.startOver();
    }

    /** No step begins any more: the key may be somebody else's, though the lease is not over. */
    void end() {
        ended = true;
    }

    boolean isInDoubt() {
        return inDoubt;
    }

    /** Tells of steps that earlier attempts have recorded and this one, which succeeded, never asked for. */
    void reportUnasked() {
        if (recorded.isEmpty()) {
            return;
        }
        List<String> unasked = recorded.keySet().stream()
                .filter(step -> !asked.contains(step))
                .map(StepIdentity::name)
                .distinct()
                .sorted()
                .toList();
        if (!unasked.isEmpty()) {
            logger.warn(
                    "Operation {} has ended without asking for steps that earlier attempts have recorded; were they"
                            + " renamed or removed? {}",
                    operation(),
                    unasked);
        }
    }
}
