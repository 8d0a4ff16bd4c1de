package io.idempotency.core;

import java.lang.reflect.Type;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The programmatic door: executes work once per key and gives every retry the recorded outcome.
 *
 * <pre>{@code
 * Invoice invoice = idempotency
 *         .operation("invoice")
 *         .key(event.id())
 *         .execute(Invoice.class, () -> invoices.create(event))
 *         .value();
 * }</pre>
 *
 * <p>Every call either gives a result, throws what the work threw, or throws an {@link IdempotencyException} that says
 * why nothing ran.
 */
public interface IdempotencyOperations {

    /** Starts a call of an operation. The name is part of the identity: renaming it makes every key new. */
    OperationSpec operation(String name);

    /**
     * Executes work that a codec can record. Where the policy asks for a transaction, the work runs in it, and whatever it
     * throws rolls it back.
     *
     * @throws IllegalStateException if the policy asks for a transaction and none can be opened that the store takes part
     *     in, or one is open already; nothing ran
     */
    <T extends @Nullable Object, E extends Throwable> IdempotentResult<T> execute(
            IdempotencyRequest request, OutcomeCodec<T> codec, IdempotentWork<? extends T, E> work) throws E;

    /**
     * Executes work that ends later. The claim is renewed until the stage completes; the returned future completes after
     * the outcome is recorded. Refusals are thrown, not put into the future. A stage that
     * is cancelled leaves a doubt, since the work behind it may go on. The transaction of the calling thread, if there
     * is one, does not decide about the outcome: the work does not end in it.
     *
     * @throws IllegalStateException if the policy asks for a transaction; nothing ran
     */
    <T extends @Nullable Object, E extends Throwable> CompletableFuture<IdempotentResult<T>> executeAsync(
            IdempotencyRequest request, OutcomeCodec<T> codec, IdempotentWork<? extends CompletionStage<T>, E> work)
            throws E;

    /**
     * Claims, waiting for a running execution as long as the policy says. For doors that learn the end of the work later,
     * and that record it by the {@link Execution} they are given.
     *
     * @throws IdempotencyException if nothing may run: in progress, mismatch, in doubt, an outcome that is a failure or
     *     cannot be replayed, or a store that cannot be reached
     * @throws IllegalStateException if the policy asks for a transaction; nothing ran
     */
    Admission begin(IdempotencyRequest request);

    /** A call that still needs its key. */
    interface OperationSpec {

        /**
         * Sets the caller's key.
         *
         * @throws IllegalArgumentException if the key is blank, longer than {@value IdempotencyKey#MAX_LENGTH} characters
         *     or holds control characters
         */
        CallSpec key(String key);
    }

    /** A call that can be executed. */
    interface CallSpec {

        /** Says who is calling; the same key in another scope is another identity. */
        CallSpec scope(String scope);

        /**
         * Says what is asked. The same key with another fingerprint throws {@link FingerprintMismatchException}. Without
         * it nothing is compared.
         */
        CallSpec fingerprint(Fingerprint fingerprint);

        /** Changes the configured policy for this call. */
        CallSpec policy(UnaryOperator<OperationPolicy> change);

        /** Sets how long the outcome is replayed. */
        default CallSpec retention(Duration retention) {
            return policy(policy -> policy.withRetention(retention));
        }

        /** Sets how long a duplicate waits for the running execution. */
        default CallSpec maxWait(Duration maxWait) {
            return policy(policy -> policy.withMaxWait(maxWait));
        }

        /**
         * Makes the call transactional: it opens a transaction, in which its record is written too, so that both are
         * committed or rolled back together.
         */
        default CallSpec transactional() {
            return policy(policy -> policy.withTransaction(TransactionSettings.DEFAULT));
        }

        /** Executes work that gives a value without generic arguments. */
        <T extends @Nullable Object, E extends Throwable> IdempotentResult<T> execute(
                Class<T> type, IdempotentWork<? extends T, E> work) throws E;

        /**
         * Executes work that gives a value of a generic type, such as {@code List<Order>}.
         *
         * @param type what {@code ParameterizedTypeReference.getType()} gives; the caller answers for its being the type
         *     of the value
         */
        <T extends @Nullable Object, E extends Throwable> IdempotentResult<T> execute(
                Type type, IdempotentWork<? extends T, E> work) throws E;

        /** Executes work that gives no value. */
        <E extends Throwable> IdempotentResult<@Nullable Void> execute(IdempotentAction<E> action) throws E;
    }
}
