package io.idempotency.faults;

import io.idempotency.core.Outcome;
import io.idempotency.core.StepIdentity;
import io.idempotency.core.StepRecord;
import io.idempotency.core.StepState;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What is recorded of the steps of one record, in a form that can be compared.
 *
 * @param byName how far each came
 */
record RecordedSteps(Map<String, Step> byName) {

    static final RecordedSteps NONE = new RecordedSteps(Map.of());

    /**
     * What is recorded of one step.
     *
     * @param result the text of it; {@code null} while the step is running
     */
    record Step(StepState state, @Nullable String result) {}

    static RecordedSteps of(List<StepRecord> steps) {
        return new RecordedSteps(
                steps.stream().collect(Collectors.toMap(step -> step.step().name(), RecordedSteps::recorded)));
    }

    private static Step recorded(StepRecord step) {
        Outcome result = step.result();
        return new Step(step.state(), result == null ? null : result.text());
    }

    boolean isEmpty() {
        return byName.isEmpty();
    }

    boolean isRunning(StepIdentity step) {
        Step standing = byName.get(step.name());
        return standing != null && standing.state() == StepState.RUNNING;
    }

    RecordedSteps with(StepRecord step) {
        return changed(steps -> steps.put(step.step().name(), recorded(step)));
    }

    RecordedSteps withResult(StepIdentity step, Outcome result) {
        return changed(steps -> steps.put(step.name(), new Step(StepState.DONE, result.text())));
    }

    RecordedSteps without(StepIdentity step) {
        return changed(steps -> steps.remove(step.name()));
    }

    RecordedSteps withoutRunning() {
        return changed(steps -> steps.values().removeIf(step -> step.state() == StepState.RUNNING));
    }

    private RecordedSteps changed(Consumer<Map<String, Step>> change) {
        Map<String, Step> steps = new HashMap<>(byName);
        change.accept(steps);
        return new RecordedSteps(Map.copyOf(steps));
    }
}
