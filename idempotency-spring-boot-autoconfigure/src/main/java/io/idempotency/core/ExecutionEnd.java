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

    /** Returns how an attempt ends that failed by nothing which could be an outcome. */
    static ExecutionEnd withoutOutcome(OperationPolicy policy) {
        return policy.onFailure() == OnFailure.HOLD ? new Hold() : new Release();
    }

    default boolean isSuccess() {
        return false;
    }
}
