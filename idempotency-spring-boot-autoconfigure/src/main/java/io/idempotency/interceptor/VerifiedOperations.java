package io.idempotency.interceptor;

import io.idempotency.annotation.Idempotent;
import io.idempotency.core.OperationPolicy;
import io.idempotency.core.OutcomeCodecFactory;
import io.idempotency.core.TransactionSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.aopalliance.aop.Advice;

/** Finds what keeps annotated methods from being protected as operations. */
final class VerifiedOperations implements VerifiedMethods<Idempotent> {

    private final IdempotentMethodSource source;

    private final Supplier<? extends List<HandlerMethods>> handlerMethods;

    private final Supplier<? extends OutcomeCodecFactory> codecs;

    VerifiedOperations(
            IdempotentMethodSource source,
            Supplier<? extends List<HandlerMethods>> handlerMethods,
            Supplier<? extends OutcomeCodecFactory> codecs) {
        this.source = source;
        this.handlerMethods = handlerMethods;
        this.codecs = codecs;
    }

    @Override
    public AnnotationLookup<Idempotent> lookup() {
        return AnnotationLookup.OPERATIONS;
    }

    @Override
    public Class<? extends Advice> advice() {
        return IdempotentMethodInterceptor.class;
    }

    @Override
    public boolean isMeant(AnnotationLookup.Found<Idempotent> found) {
        return source.find(found.method(), found.targetClass()).isPresent();
    }

    @Override
    public Optional<OperationPolicy> policy(AnnotationLookup.Found<Idempotent> found) {
        return source.find(found.method(), found.targetClass()).map(IdempotentMethod::policy);
    }

    @Override
    public Optional<TransactionSettings> transaction(AnnotationLookup.Found<Idempotent> found) {
        return policy(found).flatMap(OperationPolicy::transaction);
    }

    @Override
    public List<String> problems(AnnotationLookup.Found<Idempotent> found, boolean classProxy) {
        Optional<String> unreachable = Reachability.problem(found, classProxy);
        try {
            Optional<IdempotentMethod> method = source.find(found.method(), found.targetClass());
            return method.isEmpty() ? List.of() : unreachable.map(List::of).orElseGet(() -> ofReachable(method.get()));
        } catch (InvalidIdempotentMethodException invalid) {
            return List.of(unreachable.orElseGet(() -> String.valueOf(invalid.getMessage())));
        }
    }

    private List<String> ofReachable(IdempotentMethod method) {
        List<String> problems = new ArrayList<>();
        String signature = Signature.of(method.method(), method.targetClass());
        List<HandlerMethods> doors = handlerMethods.get().stream()
                .filter(door -> door.isHandler(method.method(), method.targetClass()))
                .toList();
        for (HandlerMethods door : doors) {
            door.problems(method).forEach(problem -> problems.add(signature + ": " + problem));
        }
        if (doors.isEmpty()) {
            problems.addAll(ofOrdinary(method, signature));
        }
        if (doors.isEmpty() || doors.stream().anyMatch(door -> door.recordsReturnValue(method))) {
            ofReturnValue(method).ifPresent(problems::add);
        }
        return problems;
    }

    private List<String> ofOrdinary(IdempotentMethod method, String signature) {
        List<String> problems = new ArrayList<>();
        if (method.key().isEmpty()) {
            problems.add(signature + " is no handler method and has no key; give it one, such as key = \"#p0.id\"");
        }
        if (method.fingerprintStrategy().stream().anyMatch(FingerprintStrategy.RAW::equals)) {
            problems.add(signature + " is no handler method, so that there is no body for fingerprint = \"RAW\"; remove"
                    + " it to compare all arguments");
        }
        if (!method.ignoredFields().isEmpty()) {
            problems.add(
                    signature + " is no handler method, so that there is no body with ignoredFields; remove them, and"
                            + " name what is compared by a fingerprint expression");
        }
        return problems;
    }

    private Optional<String> ofReturnValue(IdempotentMethod method) {
        try {
            RecordedValue value = RecordedValue.of(method, codecs.get());
            return value.later() && method.policy().transaction().isPresent()
                    ? Optional.of(Signature.of(method.method(), method.targetClass())
                            + " is transactional and returns a future, whose work may go on without the transaction; let"
                            + " it return the value")
                    : Optional.empty();
        } catch (InvalidIdempotentMethodException unrecordable) {
            return Optional.of(String.valueOf(unrecordable.getMessage()));
        }
    }
}
