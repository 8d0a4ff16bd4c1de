package io.idempotency.store.memory;

import io.idempotency.core.StepIdentity;
import io.idempotency.core.StepRecord;
import io.idempotency.core.StepState;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The steps of a record: the newest entry and those before it, of which each step's newest counts. It never changes, so that
 * adding to it costs the same however long it is; two of them are equal only if they are the same.
 */
final class StepLog {

    static final StepLog EMPTY = new StepLog(null, null, null);

    private final @Nullable StepIdentity step;

    /** {@code null} where the step was forgotten. */
    private final @Nullable StepRecord entry;

    private final @Nullable StepLog earlier;

    private StepLog(@Nullable StepIdentity step, @Nullable StepRecord entry, @Nullable StepLog earlier) {
        this.step = step;
        this.entry = entry;
        this.earlier = earlier;
    }

    StepLog with(StepRecord recorded) {
        return new StepLog(recorded.step(), recorded, this);
    }

    StepLog without(StepIdentity forgotten) {
        return new StepLog(forgotten, null, this);
    }

    /** Returns a log of those steps only that are of a kind. */
    StepLog only(Predicate<StepRecord> kind) {
        StepLog log = EMPTY;
        for (StepRecord recorded : steps()) {
            log = kind.test(recorded) ? log.with(recorded) : log;
        }
        return log;
    }

    /** Returns what is recorded of a step that is running; empty where it is not. */
    Optional<StepRecord> running(StepIdentity wanted) {
        return steps().stream()
                .filter(recorded -> recorded.step().equals(wanted) && recorded.state() == StepState.RUNNING)
                .findFirst();
    }

    /** Says whether nothing was ever recorded. */
    boolean isEmpty() {
        return this == EMPTY;
    }

    /** Returns what is recorded of each step, the oldest first. */
    List<StepRecord> steps() {
        if (isEmpty()) {
            return List.of();
        }
        List<StepRecord> steps = new ArrayList<>();
        Set<StepIdentity> seen = new HashSet<>();
        for (StepLog log = this; log != null && log.step != null; log = log.earlier) {
            if (seen.add(log.step) && log.entry != null) {
                steps.add(log.entry);
            }
        }
        Collections.reverse(steps);
        return List.copyOf(steps);
    }
}
