package io.idempotency.core;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The steps that one execution has asked for: each may be begun once, and again when it has failed. Thread-safe. */
final class AskedSteps {

    private final Identity operation;

    private final AtomicLong beginnings = new AtomicLong();

    /** All that were asked for, whatever became of them. */
    private final Map<StepIdentity, Asked> asked = new ConcurrentHashMap<>();

    /** @param number counts the beginnings of all steps */
    private record Beginning(Thread thread, long number) {

        /** A thread does one thing at a time, so what it began while it was in a step belongs to that step. */
        boolean isInside(Beginning outer) {
            return thread.equals(outer.thread) && number >= outer.number;
        }
    }

    /**
     * @param beginning {@code null} once the step may be begun again
     * @param unknown whether it is transactional and nobody knows whether it was committed
     */
    private record Asked(@Nullable Beginning beginning, boolean unknown) {

        boolean isInside(Beginning outer) {
            return beginning != null && beginning.isInside(outer);
        }

        Asked free() {
            return new Asked(null, unknown);
        }
    }

    AskedSteps(Identity operation) {
        this.operation = operation;
    }

    /** @throws IllegalStateException if the step was begun before and has not failed */
    void begin(StepIdentity step) {
        Beginning beginning = new Beginning(Thread.currentThread(), beginnings.incrementAndGet());
        asked.compute(step, (same, before) -> {
            if (before != null) {
                requireFree(step, before);
            }
            return new Asked(beginning, false);
        });
    }

    private void requireFree(StepIdentity step, Asked before) {
        if (before.unknown()) {
            throw new IllegalStateException(
                    ("Nobody can tell yet whether the transaction of step '%s' was committed; let this attempt of operation"
                                    + " %s end, the next one knows")
                            .formatted(step.name(), operation));
        }
        if (before.beginning() != null) {
            throw new IllegalStateException(
                    ("Step '%s' was asked for twice in one execution of operation %s; give each its own item, or another"
                                    + " name")
                            .formatted(step.name(), operation));
        }
    }

    /** The calling thread has failed in a step, which may be begun again, as may those that it has begun inside. */
    void failed(StepIdentity step) {
        Asked failed = asked.get(step);
        Beginning outer = failed == null ? null : failed.beginning();
        if (outer != null) {
            asked.replaceAll((same, inner) -> inner.isInside(outer) ? inner.free() : inner);
        }
    }

    /** What a step has done was undone: it may be begun again. */
    void undone(StepIdentity step) {
        asked.computeIfPresent(step, (same, before) -> before.free());
    }

    /** Nobody knows whether a step was committed: it may not be begun again. */
    void unknown(StepIdentity step) {
        asked.compute(step, (same, before) -> new Asked(before == null ? null : before.beginning(), true));
    }

    /** Lets each step be begun once more. */
    void startOver() {
        asked.replaceAll((same, before) -> before.free());
    }

    /** Says whether a step was asked for, whatever became of it. */
    boolean contains(StepIdentity step) {
        return asked.containsKey(step);
    }
}
