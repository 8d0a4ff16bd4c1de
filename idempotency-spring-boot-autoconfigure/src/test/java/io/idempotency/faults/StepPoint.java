package io.idempotency.faults;

/** The points between and inside of the steps of a workflow, in the order in which an attempt comes to them. */
enum StepPoint {
    /** Not where a step is simply run again: its beginning is about to be recorded. */
    BEFORE_MARK,

    /** Not where a step is simply run again: its beginning is recorded. */
    AFTER_MARK,

    /** In the work of the step. */
    BEFORE_CALL,

    /** In the work of the step: the other system has answered, or its row is written in a transaction that is open. */
    AFTER_CALL,

    BEFORE_RECORD,

    /** The step is recorded, in a transaction that is open if it is transactional, and the workflow has not been told. */
    AFTER_RECORD,

    /** The workflow has the result of the step, whose transaction is committed if it has one. */
    AFTER_STEP;

    /** Says whether the other system was called. */
    boolean isCalled() {
        return compareTo(AFTER_CALL) >= 0;
    }

    /** Says whether the beginning of the step is recorded, where it is, and its end is not. */
    boolean isOpen() {
        return compareTo(AFTER_MARK) >= 0 && compareTo(BEFORE_RECORD) <= 0;
    }

    boolean isMark() {
        return this == BEFORE_MARK || this == AFTER_MARK;
    }
}
