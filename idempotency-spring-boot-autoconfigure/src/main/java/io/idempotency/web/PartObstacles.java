package io.idempotency.web;

import io.idempotency.core.OperationPolicy;
import io.idempotency.interceptor.FingerprintStrategy;
import io.idempotency.interceptor.IdempotentMethod;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Finds what keeps a handler from being a part of the one that has dispatched the request to it: the claim of that one
 * would give it less than its annotation asks for, or something else.
 */
final class PartObstacles {

    /** What a policy consists of besides its transaction, by the names of the annotation and the properties. */
    static final Map<String, Function<OperationPolicy, Object>> POLICY = new LinkedHashMap<>();

    static {
        POLICY.put("lease", OperationPolicy::lease);
        POLICY.put("maxDuration", OperationPolicy::maxDuration);
        POLICY.put("retention", OperationPolicy::retention);
        POLICY.put("maxWait", OperationPolicy::maxWait);
        POLICY.put("onFailure", OperationPolicy::onFailure);
        POLICY.put("onAbandoned", OperationPolicy::onAbandoned);
        POLICY.put("onStoreFailure", OperationPolicy::onStoreFailure);
        POLICY.put("recordFailures", OperationPolicy::recordedFailures);
    }

    /** What holds where an annotation does not say how the fingerprint is taken. */
    private final FingerprintStrategy configured;

    PartObstacles(FingerprintStrategy configured) {
        this.configured = configured;
    }

    /**
     * Returns the reason and its remedy; empty where the claim covers the part, or where the part has a key of its own, and
     * with it a claim.
     *
     * @param first the handler that claims
     * @param part the handler that it has dispatched the request to
     */
    Optional<String> between(IdempotentMethod first, IdempotentMethod part) {
        return part.key().isPresent() ? returnValue(part) : claim(first, part);
    }

    private static Optional<String> returnValue(IdempotentMethod part) {
        return ReturnValueProblems.of(part.method(), part.targetClass()).stream()
                .map("it has a key of its own, so that only what it returns is recorded, but "::concat)
                .findFirst();
    }

    private Optional<String> claim(IdempotentMethod first, IdempotentMethod part) {
        return Stream.of(key(first, part), scope(first, part), transaction(first, part), policy(first, part))
                .flatMap(Optional::stream)
                .findFirst()
                .or(() -> fingerprint(first, part));
    }

    private static Optional<String> key(IdempotentMethod first, IdempotentMethod part) {
        if (first.key().isPresent()) {
            return Optional.of(
                    "the key of the first is made by an expression, and that of the second is in a header; give"
                            + " both the same header, or the second a key expression");
        }
        return when(
                !first.header().equals(part.header()),
                "their keys are in different headers; give both the same header");
    }

    private static Optional<String> scope(IdempotentMethod first, IdempotentMethod part) {
        return when(
                first.scope().isPresent() || part.scope().isPresent(),
                "a scope expression says for one of them alone who is calling; let a ScopeResolver say it for both");
    }

    private static Optional<String> transaction(IdempotentMethod first, IdempotentMethod part) {
        return when(
                first.policy().transaction().isPresent()
                        || part.policy().transaction().isPresent(),
                "a transactional handler ends before the response is rendered; call what it does as a transactional"
                        + " method of another bean");
    }

    private static Optional<String> policy(IdempotentMethod first, IdempotentMethod part) {
        String different = POLICY.entrySet().stream()
                .filter(each -> !each.getValue()
                        .apply(first.policy())
                        .equals(each.getValue().apply(part.policy())))
                .map(Map.Entry::getKey)
                .collect(Collectors.joining(", "));
        return when(
                !first.policy().equals(part.policy()),
                "their claims would differ in %s; give both the same".formatted(different));
    }

    private Optional<String> fingerprint(IdempotentMethod first, IdempotentMethod part) {
        return when(
                !comparesAllOf(first, part),
                "the first does not compare all that the second does; give both the same fingerprint and ignoredFields");
    }

    private boolean comparesAllOf(IdempotentMethod first, IdempotentMethod part) {
        if (part.fingerprint().isEmpty() && strategy(part) == FingerprintStrategy.NONE) {
            return true;
        }
        if (first.fingerprint().isPresent() || part.fingerprint().isPresent()) {
            // What expressions give is known in the call only, and the arguments of the two are others.
            return false;
        }
        return switch (strategy(first)) {
            case RAW -> true;
            case AUTO ->
                strategy(part) == FingerprintStrategy.AUTO
                        && part.ignoredFields().containsAll(first.ignoredFields());
            case NONE -> false;
        };
    }

    private FingerprintStrategy strategy(IdempotentMethod method) {
        return method.fingerprintStrategy().orElse(configured);
    }

    private static Optional<String> when(boolean obstacle, String reason) {
        return obstacle ? Optional.of(reason) : Optional.empty();
    }
}
