package io.idempotency.step;

import io.idempotency.core.Fingerprint;
import io.idempotency.core.IdempotencyOperations.CallSpec;
import io.idempotency.core.OnAbandoned;
import io.idempotency.core.TransactionSettings;
import java.lang.reflect.Type;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Runs the steps of an operation, each once over all of its attempts: a retry of an operation that failed, or whose JVM
 * died, gets the recorded result of every step that was done, and runs only what was not.
 *
 * <pre>{@code
 * Charge charge = steps.run("charge_card", Charge.class, step -> gateway.charge(order, step.key()));
 * Account account = steps.run("create_account", Account.class, step -> accounts.create(order, step.key()));
 * steps.run("send_mail", step -> mails.send(account, step.key()));
 * }</pre>
 *
 * <p>It belongs inside of an operation: below a method that is annotated with
 * {@link io.idempotency.annotation.Idempotent}, or the work of {@link #of}. Steps are
 * told apart by their names, and by items where one step is done for each of several. Their order does not matter.
 *
 * <p>An attempt that dies between the effect of a step and its record leaves it open whether the step was done. What the
 * next attempt does is chosen for each step: it runs again, and the system that it calls knows {@link StepContext#key()};
 * it {@linkplain StepSpec#runChecked asks} whether it was done; or it does not run, and the operation waits for an operator
 * ({@link OnAbandoned#HOLD}). A step that only writes to the database of the application leaves nothing open if it is
 * {@linkplain StepSpec#transactional() transactional}.
 *
 * <p>Every form throws what the work threw, and besides:
 *
 * <ul>
 *   <li>{@link IllegalStateException} if no operation is executing on this thread, the same step was asked for before in this
 *       execution and has not failed, or the step is not transactional and a transaction is open
 *   <li>{@link io.idempotency.core.StepConflictException} if an earlier attempt has done the step with other arguments, or
 *       its result cannot be read
 *   <li>{@link io.idempotency.core.StepInDoubtException} if an earlier attempt began a step that must not be repeated
 *   <li>{@link io.idempotency.core.ClaimLostException} if another attempt has taken over
 *   <li>{@link io.idempotency.core.IdempotencyStoreException} if the step cannot be recorded. It may have been done; the
 *       next attempt acts as after a crash
 * </ul>
 *
 * <p>Thread-safe: steps may run on other threads that the operation is taken along to by
 * {@link io.idempotency.core.IdempotencyContext#wrap}.
 */
public interface IdempotentSteps {

    /**
     * Begins a call of an operation that has no annotated method, such as a job. It is that of
     * {@link io.idempotency.core.IdempotencyOperations} with this name and key: a run that fails, or whose JVM dies, leaves
     * its steps to the next one, and once a run has succeeded, all others get its outcome and do nothing.
     *
     * <pre>{@code
     * steps.of("close_month", month).execute(() -> {
     *     Totals totals = steps.run("sum_up", Totals.class, step -> ledger.sumUp(month));
     *     steps.run("send_report", step -> mails.send(totals, step.key()));
     * });
     * }</pre>
     *
     * @param operation the name; renaming it makes every key new
     * @param key which run is meant, such as the month that is closed
     * @throws IllegalArgumentException if either is blank, too long or holds control characters
     */
    CallSpec of(String operation, String key);

    /** Begins the description of a step. Renaming a step makes it a new one. */
    StepSpec step(String name);

    /** Runs a step whose result has no generic arguments. */
    default <T extends @Nullable Object, E extends Throwable> T run(
            String name, Class<T> type, StepWork<? extends T, E> work) throws E {
        return step(name).run(type, work);
    }

    /** Runs a step whose result is of a generic type, as {@link StepSpec#run(Type, StepWork)} does. */
    default <T extends @Nullable Object, E extends Throwable> T run(
            String name, Type type, StepWork<? extends T, E> work) throws E {
        return step(name).run(type, work);
    }

    /** Runs a step without a result. */
    default <E extends Throwable> void run(String name, StepAction<E> action) throws E {
        step(name).run(action);
    }

    /** Runs a step for one of several items. */
    default <T extends @Nullable Object, E extends Throwable> T run(
            String name, String item, Class<T> type, StepWork<? extends T, E> work) throws E {
        return step(name).item(item).run(type, work);
    }

    /** Runs a step for one of several items, whose result is of a generic type. */
    default <T extends @Nullable Object, E extends Throwable> T run(
            String name, String item, Type type, StepWork<? extends T, E> work) throws E {
        return step(name).item(item).run(type, work);
    }

    /** Runs a step without a result for one of several items. */
    default <E extends Throwable> void run(String name, String item, StepAction<E> action) throws E {
        step(name).item(item).run(action);
    }

    /** A step that can be run. */
    interface StepSpec {

        /**
         * Says for which of several items the step is done. The item is neither stored nor shown.
         *
         * @throws IllegalArgumentException if it is {@code null}
         */
        StepSpec item(String item);

        /**
         * Says what the step is run with. An attempt that comes with something else than the one which recorded the step gets
         * a {@link io.idempotency.core.StepConflictException}. Without it nothing is compared.
         */
        StepSpec arguments(Fingerprint arguments);

        /**
         * Says what becomes of the step when an attempt vanished inside of it. With {@link OnAbandoned#HOLD}, a failure of
         * the step leaves the operation in doubt too, unless {@link StepContext#hadNoEffect()} was said.
         */
        StepSpec onAbandoned(OnAbandoned onAbandoned);

        /** Makes the step transactional, in a transaction of which nothing else is said. */
        default StepSpec transactional() {
            return transactional(TransactionSettings.DEFAULT);
        }

        /**
         * Makes the step transactional: what it writes in the database and its record are committed or rolled back together,
         * so that nothing is left in doubt. It needs the JDBC store in the database of the application.
         *
         * <p>The step opens the transaction itself, so it is refused inside another one; inside of a transactional operation
         * or step it joins that one's. Every exception rolls the transaction back, checked ones too; where it had joined one,
         * that is rolled back as a whole, even if the work around it catches the exception, and an
         * {@link IllegalStateException} says so. It keeps a connection and a row lock, and steps on other threads of the
         * operation are recorded when it is over, so it is no place for calls over the network. Where nothing is recorded,
         * since idempotency is switched off, there is no transaction either.
         *
         * <p>Where a commit fails, it may have happened all the same. The step cannot be asked for again in this execution
         * then; the next attempt gets its result if it was committed, and runs it otherwise.
         */
        StepSpec transactional(TransactionSettings settings);

        /** Runs a step whose result has no generic arguments. */
        <T extends @Nullable Object, E extends Throwable> T run(Class<T> type, StepWork<? extends T, E> work) throws E;

        /**
         * Runs a step whose result is of a generic type, such as {@code List<Order>}.
         *
         * @param type what {@code ParameterizedTypeReference.getType()} gives; the caller answers for its being the type of
         *     the result
         */
        <T extends @Nullable Object, E extends Throwable> T run(Type type, StepWork<? extends T, E> work) throws E;

        /** Runs a step without a result. */
        <E extends Throwable> void run(StepAction<E> action) throws E;

        /**
         * Runs a step that can be looked up. Where an earlier attempt began it and did not record its end, the check is asked
         * first: its answer is the result, and recorded; empty means that the step was not done, and it is run. The check
         * is asked too where nobody can tell whether the step was begun, since the operation proceeds without its store.
         *
         * @throws IllegalStateException if the step is to be held or is transactional, which leaves nothing to look up
         */
        <T, E extends Throwable> T runChecked(
                Class<T> type, StepWork<Optional<T>, E> check, StepWork<? extends T, E> work) throws E;

        /**
         * Runs a step that can be looked up, as {@link #runChecked(Class, StepWork, StepWork)} does, whose result is of a
         * generic type.
         *
         * @param type as of {@link #run(Type, StepWork)}
         */
        <T, E extends Throwable> T runChecked(Type type, StepWork<Optional<T>, E> check, StepWork<? extends T, E> work)
                throws E;
    }
}
