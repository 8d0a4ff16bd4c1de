package io.idempotency.core;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Runs the transactional steps of an execution without a claim, in transactions that lock and record nothing: what a step
 * has written is there as a whole or not at all, as it is where it is recorded. A step inside of another joins that one's
 * transaction. Thread-safe.
 */
final class UnclaimedTransactions {

    private static final ThreadLocal<@Nullable Open> OPEN = new ThreadLocal<>();

    private final LockedTransactions transactions;

    private final Duration maxDuration;

    /** @param owner whose steps join it: an operation inside of a step has transactions of its own */
    private record Open(UnclaimedTransactions owner, LockedTransaction transaction) {}

    /** @param maxDuration how long a transaction may last for which nothing shorter is said */
    UnclaimedTransactions(LockedTransactions transactions, Duration maxDuration) {
        this.transactions = transactions;
        this.maxDuration = maxDuration;
    }

    /**
     * Runs a step.
     *
     * @throws IllegalStateException if it cannot run in a transaction here; the message says why
     * @throws IdempotencyStoreException if no transaction can be opened; nothing ran
     */
    <T extends @Nullable Object, E extends Throwable> T run(
            StepIdentity step, TransactionSettings settings, IdempotentWork<T, E> work) throws E {
        Open outer = OPEN.get();
        return outer != null && outer.owner() == this
                ? join(outer.transaction(), step, settings, work)
                : runAlone(step, settings, work);
    }

    private static <T extends @Nullable Object, E extends Throwable> T join(
            LockedTransaction outer, StepIdentity step, TransactionSettings settings, IdempotentWork<T, E> work)
            throws E {
        outer.obstacle(settings).ifPresent(reason -> {
            throw new IllegalStateException("Step '%s' cannot run here: %s".formatted(step.name(), reason));
        });
        return outer.join(step, work, value -> {});
    }

    private <T extends @Nullable Object, E extends Throwable> T runAlone(
            StepIdentity step, TransactionSettings settings, IdempotentWork<T, E> work) throws E {
        LockedTransaction transaction =
                transactions.openUnlocked("Step '%s'".formatted(step.name()), settings, maxDuration);
        return ThreadBinding.<Open, T, E>call(OPEN, new Open(this, transaction), () -> {
            T value = transaction.<T, T, E>run(work, done -> done);
            transaction.commit();
            return value;
        });
    }
}
