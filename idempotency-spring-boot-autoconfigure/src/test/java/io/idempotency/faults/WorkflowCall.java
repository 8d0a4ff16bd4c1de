package io.idempotency.faults;

import io.idempotency.core.IdempotencyKey;
import io.idempotency.core.Identity;
import io.idempotency.faults.Workflow.Treatment;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * A call of a workflow, and where the JVM dies that makes it.
 *
 * @param step at which step
 * @param point at which point of the step
 */
record WorkflowCall(String key, Treatment treatment, String step, StepPoint point) {

    /** Returns a call for every point of each step that is treated so, with a key of its own. */
    static Stream<WorkflowCall> allOf(Treatment treatment) {
        return treatment.steps().stream()
                .flatMap(step -> Arrays.stream(StepPoint.values())
                        .filter(point -> treatment.isMarked() || !point.isMark())
                        .map(point -> of(treatment, step, point)));
    }

    static WorkflowCall of(Treatment treatment, String step, StepPoint point) {
        return new WorkflowCall(UUID.randomUUID().toString(), treatment, step, point);
    }

    Identity identity() {
        return identity(key);
    }

    static Identity identity(String key) {
        return new IdempotencyKey(Workflow.OPERATION, null, key).identity(Workflow.NAMESPACE);
    }

    boolean isAt(Identity operation, String name, StepPoint reached) {
        return reached == point && name.equals(step) && operation.equals(identity());
    }

    String toArgument() {
        return String.join(",", key, treatment.name(), step, point.name());
    }

    static WorkflowCall ofArgument(String argument) {
        List<String> parts = List.of(argument.split(","));
        return new WorkflowCall(
                parts.get(0), Treatment.valueOf(parts.get(1)), parts.get(2), StepPoint.valueOf(parts.get(3)));
    }
}
