package io.idempotency.core;

import java.util.Optional;

/** Why a step cannot run where it is asked for: the reason and the remedy, as the end of a sentence. */
record StepObstacles(IdempotencyStore store, SurroundingTransaction surrounding, LockedTransactions transactions) {

    /**
     * Looks for what is in the way of a step that is recorded by itself; empty where it can run.
     *
     * @param lockedHere whether the calling thread keeps the record locked, so that nothing else can be written in it
     */
    Optional<String> find(OperationPolicy policy, boolean lockedHere) {
        if (policy.transaction().isPresent()) {
            return Optional.of(
                    "the operation is transactional, and a rollback would undo the record of a step but not its"
                            + " effect elsewhere; make it a transactional step if it only writes to the database, or call"
                            + " other systems after the operation");
        }
        if (lockedHere) {
            return Optional.of(
                    "it would wait for the transactional step that this thread is in, whose transaction keeps the"
                            + " record locked; call it before or after that step, or make it a transactional one");
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
     * @param locked the transaction by which the calling thread keeps the record locked, which it joins
     * @param settings what the step asks for
     */
    Optional<String> findTransactional(
            OperationPolicy policy, Optional<LockedTransaction> locked, TransactionSettings settings) {
        Optional<String> ofStore = ofStore().or(transactions::obstacleOfStore);
        if (ofStore.isPresent()) {
            return ofStore;
        }
        if (locked.isPresent()) {
            return locked.get().obstacle(settings);
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
