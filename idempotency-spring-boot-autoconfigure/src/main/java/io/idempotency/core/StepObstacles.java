package io.idempotency.core;

import java.util.Optional;

/** Why a step cannot run where it is asked for. */
record StepObstacles(IdempotencyStore store, SurroundingTransaction transaction) {

    /** Returns the reason and the remedy, as the end of a sentence; empty where a step can run. */
    Optional<String> find(OperationPolicy policy) {
        if (policy.transaction().isPresent()) {
            return Optional.of(
                    "the operation is transactional, and a rollback would undo the record of a step but not its"
                            + " effect elsewhere; do without transactional, or call other systems after the operation");
        }
        if (!(store instanceof StepStore)) {
            return Optional.of("the store of type %s records no steps; let it implement StepStore, or use another"
                    .formatted(store.getClass().getName()));
        }
        if (transaction.isActive()) {
            return Optional.of(
                    "a transaction is open, and its rollback would undo what the step wrote but not the record"
                            + " of the step; call the step outside of transactions, and open one inside the step if need be");
        }
        return Optional.empty();
    }
}
