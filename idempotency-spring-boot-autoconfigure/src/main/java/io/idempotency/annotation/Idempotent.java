package io.idempotency.annotation;

import io.idempotency.core.OnAbandoned;
import io.idempotency.core.OnFailure;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.core.annotation.AliasFor;

/**
 * Executes a method once per key and gives every retry the recorded outcome.
 *
 * <pre>{@code
 * @Idempotent(key = "#event.id", operation = "create-invoice", retention = "7d")
 * public Invoice createInvoice(PaymentEvent event) { … }
 * }</pre>
 *
 * <p>On a handler method of Spring MVC the outcome is the HTTP response, and the key comes from the {@code
 * Idempotency-Key} header unless {@link #key()} or {@link #header()} says otherwise. On a method of any other bean the
 * outcome is the return value, and {@link #key()} is required.
 *
 * <p>The annotation is looked for on the method and those it overrides, on the class of the bean and its superclasses, on
 * the interface methods that it implements, on their interfaces, and as a meta-annotation; the first place that has it
 * decides. On a class it covers all methods that user code declares, public or not, but private and static ones; on a
 * controller the handler methods and no other; on an interface the methods of that interface.
 *
 * <p>It works through a proxy of the bean: <strong>a call of a method on {@code this} is not seen</strong> and runs
 * unprotected, which nobody can find out; let another bean make such a call. What can be found out stops the start of the
 * application: a method that is private, static or final, a return value that cannot be recorded and given back, an
 * expression that names no argument.
 *
 * <p>Each retry by {@code @Retryable} is a call of its own, and so is each call of an {@code @Async} method. Who has no
 * right by method security does not touch the key. The outcome of a {@code @Transactional} method is recorded after its
 * commit.
 *
 * <p>Texts may hold placeholders such as {@code ${invoice.retention}}. Durations are written as {@code 30s}, {@code 24h}
 * or {@code 7d}, or as in ISO 8601; an empty one takes the value of the property, such as {@code idempotency.lease}.
 */
@Target({ElementType.TYPE, ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@Documented
public @interface Idempotent {

    /** Alias for {@link #key()}. */
    @AliasFor("key")
    String value() default "";

    /**
     * The key, as an expression over the arguments: by name ({@code #order.id}), or by position ({@code #p0.id}, {@code
     * #a0.id}) in classes that were compiled without parameter names. {@code #sha256(a, b, c)} digests its parts so that
     * no two lists of parts give the same key; so does a collection. A key that is {@code null} or blank, or has such a
     * part, is an error, and so is a value without a stable text, which texts, numbers, enums, UUIDs, times and the like
     * have.
     */
    @AliasFor("value")
    String key() default "";

    /**
     * The request header that holds the key of a handler method. Empty: the configured header names. Ignored where
     * {@link #key()} is given.
     */
    String header() default "";

    /**
     * The name of the operation. Empty: the class and the method with its parameter types, so that renaming either makes
     * every key new; better give a name.
     */
    String operation() default "";

    /**
     * Who is calling, as an expression over the arguments: the same key in another scope is another identity. Empty: the
     * authenticated principal on handler methods, none elsewhere.
     */
    String scope() default "";

    /**
     * What is compared between calls with the same key, as an expression over the arguments. Empty: the request on handler
     * methods, all arguments as JSON elsewhere. {@code NONE}, in capitals and nothing else, compares nothing. On handler
     * methods {@code RAW} compares the bytes of the body and {@code AUTO} compares JSON bodies by content; elsewhere there
     * is no body, so that {@code RAW} stops the start.
     *
     * <p>Arguments are compared as they are before the method runs: what it does to them changes nothing.
     */
    String fingerprint() default "";

    /**
     * The members of a JSON body that are not compared between requests with the same key, on handler methods: those that a
     * client writes anew for each try, such as the time of sending. Each is the path from the root of the document, with
     * dots between names ({@code "sentAt"}, {@code "order.items.position"}); an array adds nothing to the path of its
     * elements. All else is compared as by {@code AUTO}, so it cannot stand beside another {@link #fingerprint()}.
     */
    String[] ignoredFields() default {};

    /** Whether a handler method refuses requests without a key; otherwise they run unprotected. */
    boolean required() default true;

    /** How long a claim lives without renewal. */
    String lease() default "";

    /** How long the outcome is replayed, counted from its recording. */
    String retention() default "";

    /** How long a duplicate waits for the running execution before it is refused. */
    String maxWait() default "";

    /** What becomes of the key when the execution fails. */
    OnFailure onFailure() default OnFailure.RELEASE;

    /** What becomes of the claim when its holder vanished. */
    OnAbandoned onAbandoned() default OnAbandoned.RETRY;

    /**
     * The failures that are an outcome: every retry gets a {@code RecordedFailureException} and nothing runs. What this library
     * refuses inside of the method, such as a step without a store, is none, whatever is named here or in
     * {@link #onFailure()}.
     */
    Class<? extends Throwable>[] recordFailures() default {};

    /**
     * Whether the record is written in one transaction with the rows that the method writes, so that both are committed or
     * rolled back together: what the method does in that database happens exactly once, whatever crashes when.
     *
     * <p>The call opens the transaction itself, so it is refused inside another one. A {@code @Transactional} on the method
     * joins it and decides its isolation, its transaction manager and, if shorter than {@code idempotency.max-duration}, its
     * time-out. Every exception rolls it back, checked ones too, whatever {@code rollbackFor} says. While it lasts, it keeps
     * a connection and a row lock, so it is no place for calls over the network.
     *
     * <p>It needs the JDBC store in the database of the application. The outcome is the return value, on handler methods
     * too, where a replay renders it again; a method that returns a future, a view or a type that cannot be recorded stops
     * the start.
     */
    boolean transactional() default false;
}
