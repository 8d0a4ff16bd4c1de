package io.idempotency.interceptor;

import io.idempotency.core.Fingerprint;
import io.idempotency.core.IdempotencyKey;
import io.idempotency.core.IdempotencyRequest;
import io.idempotency.core.InvalidIdempotencyKeyException;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/** Makes the request for an ordinary call: key and scope by their expressions, the fingerprint from all arguments. */
final class OrdinaryCallRequests {

    private final Supplier<? extends ValueFingerprinter> fingerprinter;

    OrdinaryCallRequests(Supplier<? extends ValueFingerprinter> fingerprinter) {
        this.fingerprinter = fingerprinter;
    }

    IdempotencyRequest of(MethodInvocation invocation, IdempotentMethod method) {
        ArgumentExpression keyExpression = method.key()
                .orElseThrow(() -> new InvalidIdempotentMethodException(signature(method)
                        + " was called without a request and has no key; give it one, such as" + " key = \"#p0.id\""));
        String key = text(keyExpression, invocation, method);
        String scope = method.scope()
                .map(expression -> text(expression, invocation, method))
                .orElse(null);
        Fingerprint fingerprint = fingerprint(invocation, method);
        try {
            return new IdempotencyRequest(
                    new IdempotencyKey(method.operation(), scope, key), fingerprint, method.policy());
        } catch (IllegalArgumentException malformed) {
            throw new InvalidIdempotencyKeyException(
                    InvalidIdempotencyKeyException.Reason.MALFORMED,
                    "A call of %s has no usable key: %s".formatted(signature(method), malformed.getMessage()));
        }
    }

    private static String text(ArgumentExpression expression, MethodInvocation invocation, IdempotentMethod method) {
        return expression.text(invocation.getThis(), method.method(), invocation.getArguments());
    }

    private Fingerprint fingerprint(MethodInvocation invocation, IdempotentMethod method) {
        if (method.fingerprintStrategy().stream().anyMatch(FingerprintStrategy.NONE::equals)) {
            return Fingerprint.none();
        }
        try {
            return fingerprinter.get().fingerprint(comparedValues(invocation, method));
        } catch (IllegalArgumentException unknown) {
            throw new InvalidIdempotentMethodException(
                    "The arguments of %s cannot be compared with those of a retry; say what is, such as fingerprint ="
                                    .formatted(signature(method))
                            + " \"#p0.amount\", or fingerprint = \"NONE\": "
                            + unknown.getMessage(),
                    unknown);
        }
    }

    private static @Nullable Object[] comparedValues(MethodInvocation invocation, IdempotentMethod method) {
        if (method.fingerprint().isEmpty()) {
            return invocation.getArguments();
        }
        ArgumentExpression expression = method.fingerprint().get();
        return new @Nullable Object[] {
            expression.value(invocation.getThis(), method.method(), invocation.getArguments())
        };
    }

    private static String signature(IdempotentMethod method) {
        return Signature.of(method.method(), method.targetClass());
    }
}
