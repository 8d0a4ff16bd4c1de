package io.idempotency.interceptor;

import io.idempotency.core.IdempotencyOperations;
import io.idempotency.core.OutcomeCodecFactory;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/**
 * Hands each call of an annotated method to the {@link InvocationDoor} that owns it, or executes it as an ordinary call
 * by the engine. What the method throws reaches the caller as the same object.
 *
 * <p>Everything it works with is asked for by the first call and not before, so that the engine and the store with their
 * data source are not created while the container still prepares its post-processors.
 */
public final class IdempotentMethodInterceptor implements MethodInterceptor {

    private final IdempotentMethodSource source;

    private final Supplier<? extends List<InvocationDoor>> doors;

    private final OrdinaryCalls ordinaryCalls;

    /**
     * Creates an interceptor.
     *
     * @param doors asked for each call whether they own it, in this order
     */
    public IdempotentMethodInterceptor(
            IdempotentMethodSource source,
            Supplier<? extends List<InvocationDoor>> doors,
            Supplier<? extends IdempotencyOperations> operations,
            Supplier<? extends OutcomeCodecFactory> codecs,
            Supplier<? extends ValueFingerprinter> fingerprinter) {
        this.source = source;
        this.doors = doors;
        this.ordinaryCalls =
                new OrdinaryCalls(operations, new RecordedValues(codecs), new OrdinaryCallRequests(fingerprinter));
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        Optional<IdempotentMethod> method = source.find(invocation.getMethod(), InvocationTarget.classOf(invocation));
        if (method.isEmpty()) {
            return invocation.proceed();
        }
        for (InvocationDoor door : doors.get()) {
            if (door.owns(invocation)) {
                return door.invoke(invocation, method.get());
            }
        }
        return ordinaryCalls.call(invocation, method.get());
    }
}
