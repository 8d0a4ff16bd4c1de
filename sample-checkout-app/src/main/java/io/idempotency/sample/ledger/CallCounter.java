package io.idempotency.sample.ledger;

import io.idempotency.core.Claim;
import io.idempotency.core.FingerprintMismatchException;
import io.idempotency.core.IdempotencyContext;
import io.idempotency.core.IdempotencyException;
import io.idempotency.core.IdempotencyListener;
import io.idempotency.core.Identity;
import io.idempotency.core.OperationInProgressException;
import io.idempotency.core.Outcome;
import java.util.concurrent.atomic.LongAdder;
import org.springframework.stereotype.Component;

/** Counts what became of the calls of protected operations since the start. */
@Component
class CallCounter implements IdempotencyListener {

    private final LongAdder executions = new LongAdder();

    private final LongAdder replays = new LongAdder();

    private final LongAdder conflicts = new LongAdder();

    @Override
    public void executionStarted(Claim claim, boolean takeover) {
        if (isCalledFromOutside()) {
            executions.increment();
        }
    }

    @Override
    public void outcomeReplayed(Identity identity, Outcome.Kind kind) {
        if (isCalledFromOutside()) {
            replays.increment();
        }
    }

    @Override
    public void callRefused(Identity identity, IdempotencyException refusal) {
        if (refusal instanceof OperationInProgressException || refusal instanceof FingerprintMismatchException) {
            conflicts.increment();
        }
    }

    private static boolean isCalledFromOutside() {
        return IdempotencyContext.current().isEmpty();
    }

    long executions() {
        return executions.sum();
    }

    long replays() {
        return replays.sum();
    }

    long conflicts() {
        return conflicts.sum();
    }
}
