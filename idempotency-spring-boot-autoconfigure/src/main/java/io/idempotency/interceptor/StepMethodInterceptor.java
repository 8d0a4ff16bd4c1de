package io.idempotency.interceptor;

import io.idempotency.core.Fingerprint;
import io.idempotency.core.InvalidIdempotencyKeyException;
import io.idempotency.step.IdempotentSteps;
import io.idempotency.step.IdempotentSteps.StepSpec;
import java.util.Optional;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/**
 * Runs methods that are steps. What they throw reaches the caller as the same object.
 *
 * <p>Everything it works with is asked for by the first call and not before, as by {@link IdempotentMethodInterceptor}.
 */
public final class StepMethodInterceptor implements MethodInterceptor {

    private final StepMethodSource source;

    private final Supplier<? extends IdempotentSteps> steps;

    private final ArgumentFingerprints fingerprints;

    public StepMethodInterceptor(
            StepMethodSource source,
            Supplier<? extends IdempotentSteps> steps,
            Supplier<? extends ValueFingerprinter> fingerprinter) {
        this.source = source;
        this.steps = steps;
        this.fingerprints = new ArgumentFingerprints(fingerprinter);
    }

    @Override
    @SuppressWarnings("NullAway") // the work's type is nullable here, which NullAway cannot tell on Java 17
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        Optional<StepMethod> method = source.find(invocation.getMethod(), InvocationTarget.classOf(invocation));
        return method.isEmpty()
                ? invocation.proceed()
                : step(invocation, method.get()).run(method.get().type(), step -> invocation.proceed());
    }

    private StepSpec step(MethodInvocation invocation, StepMethod method) {
        StepSpec step = steps.get()
                .step(method.name())
                .onAbandoned(method.onAbandoned())
                .arguments(fingerprint(invocation, method));
        if (method.item().isPresent()) {
            step = step.item(item(method.item().get(), invocation));
        }
        return method.transaction().map(step::transactional).orElse(step);
    }

    private Fingerprint fingerprint(MethodInvocation invocation, StepMethod method) {
        return method.compared()
                ? fingerprints.of(invocation, method.signature(), method.fingerprint())
                : Fingerprint.none();
    }

    private static String item(ArgumentExpression expression, MethodInvocation invocation) {
        try {
            return expression.text(invocation.getThis(), invocation.getMethod(), invocation.getArguments());
        } catch (InvalidIdempotencyKeyException unusable) {
            // No caller's key: whoever called the operation has done nothing wrong.
            throw new IllegalArgumentException(unusable.getMessage(), unusable);
        }
    }
}
