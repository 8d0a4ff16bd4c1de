package io.idempotency.core;

import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The steps of an execution that holds a claim. */
final class ClaimedSteps implements StepJournal {

    private static final Logger logger = LoggerFactory.getLogger(ClaimedSteps.class);

    private final Lease lease;

    private final StepStore store;

    private final Consumer<Lease> loss;

    private final Supplier<Optional<String>> obstacle;

    private final Listeners listeners;

    /** What was recorded, by earlier attempts or by this one. */
    private final Map<StepIdentity, StepRecord> recorded = new ConcurrentHashMap<>();

    private final Set<StepIdentity> begun = ConcurrentHashMap.newKeySet();

    private volatile boolean inDoubt;

    /**
     * @param recorded by earlier attempts
     * @param loss told when the store says that the claim is lost
     * @param obstacle why no step can run on the calling thread just now; empty where one can
     */
    ClaimedSteps(
            Lease lease,
            List<StepRecord> recorded,
            StepStore store,
            Consumer<Lease> loss,
            Supplier<Optional<String>> obstacle,
            Listeners listeners) {
        this.lease = lease;
        this.store = store;
        this.loss = loss;
        this.obstacle = obstacle;
        this.listeners = listeners;
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

    /** A UUID of version 8, as in RFC 9562, appendix B.2: most APIs take one, and many take nothing longer. */
    @Override
    public UUID key(StepIdentity step) {
        HexFormat hex = HexFormat.of();
        ByteBuffer digest =
                ByteBuffer.wrap(FramedDigest.sha256("step", operation().hex(), hex.formatHex(step.digest())));
        long mostSignificant = (digest.getLong() & 0xFFFF_FFFF_FFFF_0FFFL) | 0x8000L;
        long leastSignificant = (digest.getLong() & 0x3FFF_FFFF_FFFF_FFFFL) | 0x8000_0000_0000_0000L;
        return new UUID(mostSignificant, leastSignificant);
    }

    @Override
    public Optional<StepRecord> begin(StepIdentity step) {
        obstacle.get().ifPresent(reason -> {
            throw new IllegalStateException("Step '%s' cannot run here: %s".formatted(step.name(), reason));
        });
        if (lease.isLost()) {
            throw lost();
        }
        if (!begun.add(step)) {
            throw new IllegalStateException(
                    ("Step '%s' was asked for twice in one execution of operation %s; give each its own item, or another"
                                    + " name")
                            .formatted(step.name(), operation()));
        }
        StepRecord known = recorded.get(step);
        if (known != null && known.state() == StepState.DONE) {
            listeners.tell(listener -> listener.stepSkipped(lease.claim(), step));
        } else {
            listeners.tell(listener -> listener.stepStarted(lease.claim(), step));
        }
        return Optional.ofNullable(known);
    }

    @Override
    public void failed(StepIdentity step) {
        begun.remove(step);
        listeners.tell(listener -> listener.stepFailed(lease.claim(), step));
    }

    @Override
    public void record(StepRecord step) {
        requireOwned(store.recordStep(lease.claim(), step));
        recorded.put(step.step(), step);
        if (step.state() == StepState.DONE) {
            listeners.tell(listener -> listener.stepRecorded(lease.claim(), step.step()));
        }
    }

    @Override
    public void forget(StepIdentity step) {
        requireOwned(store.forgetStep(lease.claim(), step));
        recorded.remove(step);
    }

    private void requireOwned(Ownership ownership) {
        if (ownership == Ownership.LOST) {
            loss.accept(lease);
            throw lost();
        }
    }

    private ClaimLostException lost() {
        return new ClaimLostException(operation(), attempt());
    }

    @Override
    public void doubt() {
        inDoubt = true;
    }

    /** Lets each step be asked for once more. */
    void startOver() {
        begun.clear();
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
                .filter(step -> !begun.contains(step))
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
