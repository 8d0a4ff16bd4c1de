package io.idempotency.core;

import io.idempotency.core.WorkTransactions.WorkTransaction;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A transaction that keeps a record locked. Transactional steps that its work asks for join it, until the work is over; one
 * that fails in it lets nothing be committed. Confined to the thread that has opened it.
 */
final class LockedTransaction {

    private final WorkTransaction transaction;

    private final String subject;

    private final List<StepIdentity> joined = new ArrayList<>();

    private boolean workIsOver;

    /** The first step that has joined and failed, and why. */
    private @Nullable StepIdentity failedStep;

    private @Nullable Throwable failure;

    /** @param subject what runs in it, for messages, such as {@code Operation order} */
    LockedTransaction(WorkTransaction transaction, String subject) {
        this.transaction = transaction;
        this.subject = subject;
    }

    /** Says why no step can join now: the reason and the remedy, as the end of a sentence; empty where one can. */
    Optional<String> obstacle() {
        if (failedStep != null) {
            return Optional.of(
                    ("the transaction that it belongs to can only be rolled back, since step '%s' has failed in it; let that"
                                    + " failure leave the work, and do all of it again")
                            .formatted(failedStep.name()));
        }
        if (workIsOver) {
            return Optional.of("the transaction that it belongs to is ending; call it inside of the work, and not in a"
                    + " callback of the transaction");
        }
        return transaction.isCurrent()
                ? Optional.empty()
                : Optional.of("the transaction that it belongs to is suspended or over; call it inside of that"
                        + " transaction");
    }

    /**
     * Runs a step in this transaction, whose end decides about its rows and its record. What the step has written before it
     * failed cannot be undone alone, so the whole transaction is rolled back then, also where its exception is caught.
     *
     * @param record records in this transaction what the work gave
     */
    <T extends @Nullable Object, E extends Throwable> T join(
            StepIdentity step, IdempotentWork<T, E> work, Consumer<? super T> record) throws E {
        try {
            T value = work.run();
            transaction.flush();
            record.accept(value);
            joined.add(step);
            return value;
        } catch (Throwable thrown) {
            if (failure == null) {
                failedStep = step;
                failure = thrown;
            }
            throw thrown;
        }
    }

    /** Returns the steps that have joined and are recorded if this transaction is committed. */
    List<StepIdentity> joined() {
        return List.copyOf(joined);
    }

    /** The work is over, and no step joins any more. Writes what is held back in memory. */
    void endWork() {
        workIsOver = true;
        if (failedStep == null) {
            transaction.flush();
        }
    }

    /** @throws IllegalStateException if a step has failed that had joined */
    void requireNoFailedStep() {
        if (failedStep != null) {
            throw new IllegalStateException(
                    ("%s is rolled back, since step '%s' has failed in its transaction: what that step has written would be"
                                    + " committed without its record. Let its exception leave the work, or call the step outside of"
                                    + " the transaction")
                            .formatted(subject, failedStep.name()),
                    failure);
        }
    }

    /** Commits, as {@link WorkTransaction#commit} does. */
    void commit() {
        transaction.commit();
    }

    /** Rolls back because of a failure, which keeps what is thrown besides. */
    void rollBack(Throwable reason) {
        workIsOver = true;
        try {
            transaction.rollBack();
        } catch (Throwable broken) {
            // The database rolls back what its connection leaves behind.
            if (broken != reason) {
                reason.addSuppressed(broken);
            }
        }
    }
}
