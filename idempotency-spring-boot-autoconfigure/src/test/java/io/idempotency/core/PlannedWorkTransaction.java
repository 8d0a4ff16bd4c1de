package io.idempotency.core;

import io.idempotency.core.WorkTransactions.WorkTransaction;
import java.util.ArrayList;
import java.util.List;

/** A transaction without a database, which keeps what was done to it. */
final class PlannedWorkTransaction implements WorkTransaction {

    private final List<String> events = new ArrayList<>();

    private final boolean current;

    private RuntimeException failureOfCommit;

    PlannedWorkTransaction(boolean current) {
        this.current = current;
    }

    /** Lets the commit fail. */
    void failToCommit(RuntimeException failure) {
        failureOfCommit = failure;
    }

    List<String> events() {
        return events;
    }

    @Override
    public boolean isCurrent() {
        return current;
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
    }

    @Override
    public void rollBack() {
        events.add("rolled back");
    }
}
