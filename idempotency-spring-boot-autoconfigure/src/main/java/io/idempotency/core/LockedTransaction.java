package io.idempotency.core;

import io.idempotency.core.WorkTransactions.WorkTransaction;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A transaction that keeps a record locked. Transactional steps that its work asks for join it, until the work is over; one
 * that fails in it lets nothing be committed. Confined to the thread that has opened it.
 */
final class LockedTransaction {

    private static final Logger logger = LoggerFactory.getLogger(LockedTransaction.class);

    private final WorkTransaction transaction;

    private final String subject;

    private boolean workIsOver;

    /** The first step that has joined and failed, and why. */
    private @Nullable StepIdentity failedStep;

    private @Nullable Throwable failure;

    /** @param subject what runs in it, for messages, such as {@code Operation order} */
    LockedTransaction(WorkTransaction transaction, String subject) {
        this.transaction = transaction;
        this.subject = subject;
    }

    /**
     * Says why a step cannot join now: the reason and the remedy, as the end of a sentence; empty where it can.
     *
     * @param settings what the step asks for
     */
    Optional<String> obstacle(TransactionSettings settings) {
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
        return transaction.obstacle(settings);
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
            return value;
        } catch (Throwable thrown) {
            if (failure == null) {
                failedStep = step;
                failure = thrown;
            }
            throw thrown;
        }
    }

    /**
     * Runs the work of this transaction, and then what is to be done with its value. Rolls back where either throws, or a
     * step has failed that had joined.
     */
    <T extends @Nullable Object, R extends @Nullable Object, E extends Throwable> R run(
            IdempotentWork<T, E> work, Function<? super T, R> record) throws E {
        try {
            T value = work.run();
            endWork();
            requireNoFailedStep();
            return record.apply(value);
        } catch (Throwable failure) {
            rollBack(failure);
            throw failure;
        }
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
                    ("%s is rolled back, since step '%s' has failed in its transaction: what that step has written would"
                                    + " be committed without its record. Let its exception leave the work, or call the"
                                    + " step outside of the transaction")
                            .formatted(subject, failedStep.name()),
                    failure);
        }
    }

    /**
     * Commits, as {@link WorkTransaction#commit} does. Where that has taken effect, what is thrown afterwards, as by a
     * callback of the application, is no failure: every later attempt would succeed as well.
     */
    void commit() {
        try {
            transaction.commit();
        } catch (Throwable failure) {
            if (failure instanceof VirtualMachineError || transaction.end() != SurroundingTransaction.End.COMMITTED) {
                throw failure;
            }
            logCommitted(subject, failure);
        }
    }

    static void logCommitted(Object subject, Throwable failure) {
        logger.warn("The commit of {} took effect, and what failed after it changes nothing", subject, failure);
    }

    /** Says after a commit that failed whether it is certain that it had no effect: nobody has asked the database for it. */
    boolean isRolledBack() {
        return transaction.end() == SurroundingTransaction.End.ROLLED_BACK;
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
