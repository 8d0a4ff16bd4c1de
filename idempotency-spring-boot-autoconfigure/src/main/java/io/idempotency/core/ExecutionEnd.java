package io.idempotency.core;

/** How an attempt is to end. */
sealed interface ExecutionEnd {

    record Complete(Outcome outcome) implements ExecutionEnd {}

    record Release() implements ExecutionEnd {}

    record Hold() implements ExecutionEnd {}
}
