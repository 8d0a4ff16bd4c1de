package io.idempotency.faults;

import io.idempotency.core.ClaimRequest;
import io.idempotency.core.Identity;

/** Is told where executions are, on their threads or on those of the verbs that they wait for. */
@FunctionalInterface
interface StepObserver {

    /** An execution has come to a point of a step. */
    void reached(Identity operation, String step, StepPoint point);

    /** The store has answered, whatever it said. */
    default void claimAnswered(ClaimRequest request) {}
}
