package io.idempotency.core;

import java.util.Optional;

/** Why a step cannot run where it is asked for: the reason and the remedy, as the end of a sentence. */
record StepObstacles(IdempotencyStore store, SurroundingTransaction surrounding, LockedTransactions transactions) {

    /** Looks for what is in the way of a step that is recorded by itself; empty where it can run. */
    Optional<String> find(OperationPolicy policy) {
        if (policy.transaction().isPresent()) {
            return Optional.of(
                    "the operation is transactional, and a rollback would undo the record of a step but not its"
                            + " effect elsewhere; make it a transactional step if it only writes to the database, or call"
                            + " other systems after the operation");
        }
        if (surrounding.isActive()) {
            return Optional.of(
                    "a transaction is open, and its rollback would undo what the step wrote but not the record"
                            + " of the step; call the step outside of transactions, and open one inside the step if need be");
        }
        return ofStore();
    }

    /**
     * Looks for what is in the way of a step that is recorded in the transaction of its work.
     *
     * @param locked whether the calling thread has opened the transaction that keeps the record locked, which it joins
     */
    Optional<String> findTransactional(OperationPolicy policy, boolean locked) {
        Optional<String> ofStore = ofStore().or(transactions::obstacleOfStore);
        if (ofStore.isPresent()) {
            return ofStore;
        }
        if (locked) {
            return surrounding.isActive()
                    ? Optional.empty()
                    : Optional.of(
                            "the transaction that it belongs to is suspended; call it inside of that transaction");
        }
        if (policy.transaction().isPresent()) {
            return Optional.of("the transaction of the operation is open on another thread; call it on that thread");
        }
        return surrounding.isActive()
                ? Optional.of(
                        "a transaction is open already, and a transactional step opens its own; call it outside of"
                                + " transactions")
                : Optional.empty();
    }

    private Optional<String> ofStore() {
        return store instanceof StepStore
                ? Optional.empty()
                : Optional.of("the store of type %s records no steps; let it implement StepStore, or use another"
                        .formatted(store.getClass().getName()));
    }
}
