package io.idempotency.core;

import io.idempotency.core.SurroundingTransaction.End;
import io.idempotency.core.WorkTransactions.WorkTransaction;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A transaction without a database, which keeps what was done to it. */
final class PlannedWorkTransaction implements WorkTransaction {

    private final List<String> events = new ArrayList<>();

    private final Optional<String> obstacle;

    private RuntimeException failureOfCommit;

    private RuntimeException failureOfRollback;

    private End end = End.UNKNOWN;

    PlannedWorkTransaction() {
        this.obstacle = Optional.empty();
    }

    /** Makes one that no step can join. */
    PlannedWorkTransaction(String obstacle) {
        this.obstacle = Optional.of(obstacle);
    }

    /** Lets the commit fail. */
    void failToCommit(RuntimeException failure, End end) {
        failureOfCommit = failure;
        this.end = end;
    }

    /** Lets the rollback fail. */
    void failToRollBack(RuntimeException failure) {
        failureOfRollback = failure;
    }

    List<String> events() {
        return events;
    }

    @Override
    public Optional<String> obstacle(TransactionSettings settings) {
        return obstacle;
    }

    @Override
    public void flush() {
        events.add("flushed");
    }

    @Override
    public void commit() {
        if (failureOfCommit != null) {
            throw failureOfCommit;
        }
        events.add("committed");
        end = End.COMMITTED;
    }

    @Override
    public End end() {
        return end;
    }

    @Override
    public void rollBack() {
        if (failureOfRollback != null) {
            throw failureOfRollback;
        }
        events.add("rolled back");
        end = End.ROLLED_BACK;
    }
}
