package io.idempotency.core;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** The steps that one execution has asked for: each may be begun once, and again when it has failed. Thread-safe. */
final class AskedSteps {

    private final Identity operation;

    private final AtomicLong beginnings = new AtomicLong();

    private final Map<StepIdentity, Beginning> begun = new ConcurrentHashMap<>();

    /** The transactional steps of which nobody knows whether they were committed. */
    private final Set<StepIdentity> unknown = ConcurrentHashMap.newKeySet();

    private final Set<StepIdentity> all = ConcurrentHashMap.newKeySet();

    /** @param number counts the beginnings of all steps */
    private record Beginning(Thread thread, long number) {

        /** A thread does one thing at a time, so what it began while it was in a step belongs to that step. */
        boolean isInside(Beginning outer) {
            return thread.equals(outer.thread) && number > outer.number;
        }
    }

    AskedSteps(Identity operation) {
        this.operation = operation;
    }

    /** @throws IllegalStateException if the step was begun before and has not failed */
    void begin(StepIdentity step) {
        if (unknown.contains(step)) {
            throw new IllegalStateException(
                    ("Nobody can tell yet whether the transaction of step '%s' was committed; let this attempt of operation"
                                    + " %s end, the next one knows")
                            .formatted(step.name(), operation));
        }
        Beginning beginning = new Beginning(Thread.currentThread(), beginnings.incrementAndGet());
        if (begun.putIfAbsent(step, beginning) != null) {
            throw new IllegalStateException(
                    ("Step '%s' was asked for twice in one execution of operation %s; give each its own item, or another"
                                    + " name")
                            .formatted(step.name(), operation));
        }
        all.add(step);
    }

    /** The calling thread has failed in a step, which may be begun again, as may those that it has begun inside. */
    void failed(StepIdentity step) {
        Beginning failed = begun.remove(step);
        if (failed != null) {
            begun.values().removeIf(inner -> inner.isInside(failed));
        }
    }

    /** What a step has done was undone: it may be begun again. */
    void undone(StepIdentity step) {
        begun.remove(step);
    }

    /** Nobody knows whether a step was committed: it may not be begun again. */
    void unknown(StepIdentity step) {
        unknown.add(step);
    }

    /** Lets each step be begun once more. */
    void startOver() {
        begun.clear();
    }

    /** Says whether a step was asked for, whatever became of it. */
    boolean contains(StepIdentity step) {
        return all.contains(step);
    }
}
