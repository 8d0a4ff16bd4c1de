package io.idempotency.core;

import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The operation that is executing on this thread. It is bound for the time of the work only and never inherited by other
 * threads; {@link #wrap(Callable)} takes it along on purpose.
 */
public final class IdempotencyContext {

    private static final ThreadLocal<@Nullable IdempotencyContext> CURRENT = new ThreadLocal<>();

    private final StepJournal steps;

    private final BooleanSupplier leaseLost;

    private final @Nullable IdempotencyContext outer;

    IdempotencyContext(StepJournal steps, BooleanSupplier leaseLost) {
        this.steps = steps;
        this.leaseLost = leaseLost;
        this.outer = CURRENT.get();
    }

    /** Returns the innermost operation that is executing on this thread; empty where none is. */
    public static Optional<IdempotencyContext> current() {
        return Optional.ofNullable(CURRENT.get());
    }

    /** Returns what the record of this operation is looked up by. */
    public Identity identity() {
        return steps.operation();
    }

    /**
     * Returns the number of this attempt: the fencing token, greater than that of every earlier attempt while the record
     * lives; 0 where the operation runs without protection, since its store failed and its policy said to proceed.
     */
    public long attempt() {
        return steps.attempt();
    }

    /**
     * Says whether another attempt may have taken over: the store said so, or the lease passed without a renewal. Once
     * true it stays true, unless a transactional step then locks the record, which shows that nobody has taken over. Work
     * that is about to have an outside effect asks here first.
     */
    public boolean isLeaseLost() {
        return leaseLost.getAsBoolean();
    }

    /** Returns the steps of this operation. */
    StepJournal steps() {
        return steps;
    }

    /** Returns a task that runs in the operation of the calling thread, on whatever thread it runs. */
    public static <T extends @Nullable Object> Callable<T> wrap(Callable<T> task) {
        IdempotencyContext context = CURRENT.get();
        return context == null ? task : () -> context.call(task::call);
    }

    /** Returns a task that runs in the operation of the calling thread, on whatever thread it runs. */
    @SuppressWarnings("NullAway") // the work's type is nullable here, which NullAway cannot tell on Java 17
    public static Runnable wrap(Runnable task) {
        IdempotencyContext context = CURRENT.get();
        if (context == null) {
            return task;
        }
        return () -> context.call(() -> {
            task.run();
            return null;
        });
    }

    /** Runs work in this operation. */
    <T extends @Nullable Object, E extends Throwable> T call(IdempotentWork<T, E> work) throws E {
        return ThreadBinding.call(CURRENT, this, work);
    }

    /** Says whether an operation is executing on this thread, at whatever depth. */
    static boolean isExecuting(Identity identity) {
        for (IdempotencyContext context = CURRENT.get(); context != null; context = context.outer) {
            if (context.identity().equals(identity)) {
                return true;
            }
        }
        return false;
    }
}
