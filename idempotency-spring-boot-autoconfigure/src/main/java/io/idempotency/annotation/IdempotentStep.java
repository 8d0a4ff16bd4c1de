package io.idempotency.annotation;

import io.idempotency.core.OnAbandoned;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.core.annotation.AliasFor;

/**
 * Makes a method of a bean a step of the operation that calls it: it runs once over all attempts of the operation, and
 * every later attempt gets its recorded return value.
 *
 * <pre>{@code
 * @IdempotentStep("charge_card")
 * public Charge charge(Order order) {
 *     String key = StepContext.current().orElseThrow().key();
 *     return gateway.charge(order, key);
 * }
 * }</pre>
 *
 * <p>It is {@link io.idempotency.step.IdempotentSteps} as an annotation, with its rules and failures: it belongs below a
 * method with {@link Idempotent} or the work of an operation, on another bean, outside of transactions, and once in each
 * execution unless {@link #item()} tells the calls apart. A method cannot be both a step and an operation.
 *
 * <p>It works through a proxy of the bean, <strong>so a call of a method on {@code this} is not seen</strong> and runs
 * without a record, which nobody can find out. What can be found out stops the start of the application: a method that is
 * private, static or final, a handler of requests, a return value that cannot be recorded and given back or that comes
 * later, as that of a future. The annotation is looked for on the method and those that it overrides or implements, and as
 * a meta-annotation. The step is outside of a transaction that the method opens by {@code @Transactional}: its record is
 * written after the commit.
 *
 * <p>A step that is to be looked up after a crash needs code for that: see
 * {@link io.idempotency.step.IdempotentSteps.StepSpec#runChecked}.
 */
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface IdempotentStep {

    /** Alias for {@link #name()}. */
    @AliasFor("name")
    String value() default "";

    /** The name of the step, which it needs; it may hold placeholders. Renaming a step makes it a new one. */
    @AliasFor("value")
    String name() default "";

    /**
     * For which of several items the step is done, as an expression over the arguments, in the manner of
     * {@link Idempotent#key()}. Empty: there is one. The item is neither stored nor shown.
     */
    String item() default "";

    /**
     * What is compared between attempts, as an expression over the arguments. Empty: all arguments as JSON. {@code NONE}, in
     * capitals and nothing else, compares nothing. An attempt that comes with something else than the one which recorded
     * the step gets a {@code StepConflictException}.
     *
     * <p>Arguments are compared as they are before the step runs: what it does to them changes nothing. What an earlier step
     * has written into an argument is missing in a retry that skips it, so that this one is refused then; let steps give
     * results instead.
     */
    String fingerprint() default "";

    /**
     * What becomes of the step when an attempt vanished inside of it. With {@link OnAbandoned#HOLD} a failure leaves the
     * operation in doubt too, unless {@code StepContext.hadNoEffect()} was said.
     */
    OnAbandoned onAbandoned() default OnAbandoned.RETRY;

    /**
     * Whether the record of the step is written in one transaction with the rows that the method writes, so that both are
     * committed or rolled back together. The step opens the transaction itself, or joins that of a transactional operation;
     * a {@code @Transactional} on the method joins it and decides its isolation, its transaction manager and its time-out, as
     * with {@link Idempotent#transactional()}. It needs the JDBC store in the database of the application, and leaves nothing
     * in doubt, so {@link #onAbandoned()} stays as it is.
     */
    boolean transactional() default false;
}
