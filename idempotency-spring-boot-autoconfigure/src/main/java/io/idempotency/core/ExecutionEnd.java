package io.idempotency.core;

/** How an attempt is to end. */
sealed interface ExecutionEnd {

    record Complete(Outcome outcome) implements ExecutionEnd {
        @Override
        public boolean isSuccess() {
            return outcome.kind() != Outcome.Kind.FAILURE;
        }
    }

    record Release() implements ExecutionEnd {}

    record Hold() implements ExecutionEnd {}

    default boolean isSuccess() {
        return false;
    }
}
