package io.idempotency.web;

import io.idempotency.core.IdempotencyException;
import io.idempotency.core.IdempotencyOperations;
import io.idempotency.core.IdempotencyRequest;
import io.idempotency.core.IdempotentResult;
import io.idempotency.interceptor.IdempotentMethod;
import io.idempotency.interceptor.RecordedValues;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;

/**
 * Executes handlers whose record is written in their own transaction. That ends before the response is rendered, so what
 * they return is recorded, and rendered again for a replay.
 */
final class TransactionalHandlers {

    private final Supplier<? extends IdempotencyOperations> operations;

    private final RecordedValues values;

    TransactionalHandlers(Supplier<? extends IdempotencyOperations> operations, RecordedValues values) {
        this.operations = operations;
        this.values = values;
    }

    // NullAway knows nullable type arguments in JSpecify mode only, which needs a newer JDK.
    @SuppressWarnings("NullAway")
    @Nullable
    Object execute(
            IdempotencyRequest request,
            IdempotentExchange exchange,
            MethodInvocation invocation,
            IdempotentMethod method)
            throws Throwable {
        AtomicBoolean begun = new AtomicBoolean();
        try {
            IdempotentResult<@Nullable Object> result = operations.get().execute(request, values.codec(method), () -> {
                begun.set(true);
                return outcome(invocation.proceed(), request);
            });
            if (result.replayed()) {
                exchange.markReplayed();
            }
            return result.value();
        } catch (NoOutcome rolledBack) {
            return rolledBack.answer;
        } catch (IdempotencyException refusal) {
            if (!begun.get()) {
                exchange.refuse(refusal);
            }
            throw refusal;
        }
    }

    /** A response that tells of a failure is none to be replayed: what was done for it is rolled back. */
    private static @Nullable Object outcome(@Nullable Object value, IdempotencyRequest request) throws NoOutcome {
        if (value instanceof ResponseEntity<?> response
                && HandlerExecution.isFailure(response.getStatusCode().value())) {
            NoOutcome failure = new NoOutcome(response);
            if (!request.policy().records(failure)) {
                throw failure;
            }
        }
        return value;
    }

    /** Carries an answer out of a transaction that is to be rolled back. */
    private static final class NoOutcome extends Throwable {

        private static final long serialVersionUID = 1L;

        private final transient ResponseEntity<?> answer;

        NoOutcome(ResponseEntity<?> answer) {
            super("A response that is no outcome", null, false, false);
            this.answer = answer;
        }
    }
}
