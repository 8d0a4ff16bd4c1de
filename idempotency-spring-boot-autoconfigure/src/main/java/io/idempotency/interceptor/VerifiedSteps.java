package io.idempotency.interceptor;

import io.idempotency.annotation.IdempotentStep;
import io.idempotency.core.OperationPolicy;
import io.idempotency.core.OutcomeCodecFactory;
import io.idempotency.core.TransactionSettings;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.aopalliance.aop.Advice;

/** Finds what keeps annotated methods from being steps. */
final class VerifiedSteps implements VerifiedMethods<IdempotentStep> {

    private final StepMethodSource source;

    private final Supplier<? extends List<HandlerMethods>> handlerMethods;

    private final Supplier<? extends OutcomeCodecFactory> codecs;

    VerifiedSteps(
            StepMethodSource source,
            Supplier<? extends List<HandlerMethods>> handlerMethods,
            Supplier<? extends OutcomeCodecFactory> codecs) {
        this.source = source;
        this.handlerMethods = handlerMethods;
        this.codecs = codecs;
    }

    @Override
    public AnnotationLookup<IdempotentStep> lookup() {
        return AnnotationLookup.STEPS;
    }

    @Override
    public Class<? extends Advice> advice() {
        return StepMethodInterceptor.class;
    }

    @Override
    public boolean isMeant(AnnotationLookup.Found<IdempotentStep> found) {
        return true;
    }

    @Override
    public Optional<OperationPolicy> policy(AnnotationLookup.Found<IdempotentStep> found) {
        return Optional.empty();
    }

    @Override
    public Optional<TransactionSettings> transaction(AnnotationLookup.Found<IdempotentStep> found) {
        return source.find(found.method(), found.targetClass()).flatMap(StepMethod::transaction);
    }

    @Override
    public List<String> problems(AnnotationLookup.Found<IdempotentStep> found, boolean classProxy) {
        return Reachability.problem(found, classProxy).or(() -> ofHandler(found)).or(() -> ofAnnotation(found)).stream()
                .toList();
    }

    private Optional<String> ofHandler(AnnotationLookup.Found<IdempotentStep> found) {
        return handlerMethods.get().stream().anyMatch(door -> door.isHandler(found.method(), found.targetClass()))
                ? Optional.of(found.signature()
                        + " handles requests, so that no operation is executing that it could be a step of; annotate a"
                        + " method of another bean that it calls")
                : Optional.empty();
    }

    private Optional<String> ofAnnotation(AnnotationLookup.Found<IdempotentStep> found) {
        try {
            source.find(found.method(), found.targetClass())
                    .ifPresent(step -> codecs.get().codecFor(step.type()));
            return Optional.empty();
        } catch (InvalidIdempotentMethodException invalid) {
            return Optional.of(String.valueOf(invalid.getMessage()));
        } catch (IllegalArgumentException unrecordable) {
            return Optional.of("The return value of %s cannot be recorded. %s"
                    .formatted(found.signature(), unrecordable.getMessage()));
        }
    }
}
