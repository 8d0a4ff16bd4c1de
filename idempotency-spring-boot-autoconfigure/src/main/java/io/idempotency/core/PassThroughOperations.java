package io.idempotency.core;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Runs every operation straight through, for an application in which idempotency is switched off. */
public final class PassThroughOperations implements IdempotencyOperations {

    private final OutcomeCodecFactory codecs;

    public PassThroughOperations(OutcomeCodecFactory codecs) {
        this.codecs = codecs;
    }

    @Override
    public OperationSpec operation(String name) {
        return key -> new CallSpecification(
                this,
                codecs,
                new IdempotencyRequest(
                        new IdempotencyKey(name, null, key), Fingerprint.none(), OperationPolicy.DEFAULT));
    }

    @Override
    public <T extends @Nullable Object, E extends Throwable> IdempotentResult<T> execute(
            IdempotencyRequest request, OutcomeCodec<T> codec, IdempotentWork<? extends T, E> work) throws E {
        return new IdempotentResult<>(work.run(), false, 0);
    }

    @Override
    public <T extends @Nullable Object, E extends Throwable> CompletableFuture<IdempotentResult<T>> executeAsync(
            IdempotencyRequest request, OutcomeCodec<T> codec, IdempotentWork<? extends CompletionStage<T>, E> work)
            throws E {
        return work.run().toCompletableFuture().thenApply(value -> new IdempotentResult<>(value, false, 0));
    }

    @Override
    public Admission begin(IdempotencyRequest request) {
        return new Admission.Execute(
                new UnprotectedExecution(new UnrecordedSteps(request.key().identity(""), null)));
    }
}
